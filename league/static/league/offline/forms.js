// Forms of a page that go through the queue: sent at once where there is a network, kept where
// there is none. A form that must not wait (taking something back) is left to the browser.

import * as queue from "./queue.js";

const NOT_QUEUED = new Set(["undo", "csrfmiddlewaretoken", "key"]);

function said(form, button) {
  const told = button?.dataset.says ?? form.dataset.says;
  if (told) return told;
  const heading = form.querySelector("h2, h3, legend, strong")?.textContent ?? "";
  return [heading, button?.textContent ?? ""].join(" ").replace(/\s+/g, " ").trim().slice(0, 200);
}

// What was said of a form before the page was loaded anew, once.
export function saidBefore() {
  const told = sessionStorage.getItem("housu-said") ?? "";
  sessionStorage.removeItem("housu-said");
  return told;
}

export function queueForms(selector, { table, names }) {
  document.addEventListener("submit", async (sent) => {
    const form = sent.target;
    const button = sent.submitter;
    if (!form.matches(selector) || NOT_QUEUED.has(button?.name)) return;
    sent.preventDefault();
    const fields = [...new FormData(form, button)].filter(([name]) => !NOT_QUEUED.has(name));
    if (table) fields.push(["table", table]);
    const action = button?.hasAttribute("formaction") ? button.formAction : form.action;
    const path = new URL(action).pathname;
    await queue.enqueue({ path, fields, says: said(form, button), names });
    const { done, says } = await queue.flush();
    const left = (await queue.entries()).length;
    if (!done || left) return;
    sessionStorage.setItem("housu-said", says);
    location.reload();
  });
}
