// Forms of a page that go through the queue: sent at once where there is a network, kept where
// there is none. A form that must not wait (taking something back) is left to the browser.

import * as queue from "./queue.js";

const NOT_QUEUED = new Set(["undo", "csrfmiddlewaretoken", "key"]);

// What was said of a form before the page was loaded anew, once.
export function saidBefore() {
  const told = sessionStorage.getItem("housu-said") ?? "";
  sessionStorage.removeItem("housu-said");
  return told;
}

export function queueForms(selector, page) {
  document.addEventListener("submit", async (sent) => {
    const { target: form, submitter: button } = sent;
    if (!form.matches(selector) || NOT_QUEUED.has(button?.name)) return;
    sent.preventDefault();
    try {
      await queue.enqueue(entry(form, button, page));
    } catch {
      return submit(form, button);
    }
    await show(page);
  });
}

function entry(form, button, { table, names }) {
  const data = new FormData(form, button);
  if (table) data.set("table", table);
  const fields = [...data].filter(([name]) => !NOT_QUEUED.has(name));
  const action = button?.hasAttribute("formaction") ? button.formAction : form.action;
  return { path: new URL(action).pathname, fields, says: said(form, button), names };
}

function said(form, button) {
  const told = button?.dataset.says ?? form.dataset.says;
  if (told) return told;
  const heading = form.querySelector("h2, h3, legend, strong, label")?.textContent ?? "";
  const field = form.querySelector("select, input:not([type=hidden])");
  const typed = field?.selectedOptions?.[0]?.textContent ?? field?.value ?? "";
  const words = [heading, typed, button?.textContent ?? ""].join(" ");
  return words.replace(/\s+/g, " ").trim().slice(0, 200);
}

// A browser that lets nothing be kept: the form goes out as without a script.
function submit(form, button) {
  if (button?.name) {
    const value = Object.assign(document.createElement("input"), { type: "hidden" });
    [value.name, value.value] = [button.name, button.value];
    form.append(value);
  }
  form.submit();
}

async function show({ table }) {
  const { done, says } = await queue.flush();
  const left = (await queue.entries()).length;
  if (done && !left) {
    sessionStorage.setItem("housu-said", says);
    return location.reload();
  }
  // Without a network the worker has a page of the table that knows what waits.
  if (!done && table && navigator.serviceWorker?.controller) location.reload();
}
