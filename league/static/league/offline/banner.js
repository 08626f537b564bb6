// <housu-queue>: what waits to be sent and what somebody has to decide, told to ears too; sends
// when the network is back. It also loads the night, once the page is there.

import { bdi, element } from "./element.js";
import { queueForms, saidBefore } from "./forms.js";
import { load } from "./load.js";
import * as queue from "./queue.js";
import { outcome, waiting } from "./words.js";

const FIRST_MS = 5000;
const SLOWEST_MS = 300000;

class HousuQueue extends HTMLElement {
  #wait = FIRST_MS;
  #timer = 0;
  #why = "";
  #said = "";

  connectedCallback() {
    this.#status = element("p", { role: "status" });
    this.#list = element("ul", { class: "list" });
    this.append(this.#status, this.#list);
    this.#said = saidBefore();
    const { forms, table, names, load: address } = this.dataset;
    if (forms) queueForms(forms, { table, names: JSON.parse(names ?? "{}") });
    queue.watch(() => this.#draw());
    addEventListener("online", () => this.send());
    document.addEventListener("visibilitychange", () => document.hidden || this.send());
    this.#draw();
    this.send();
    if (address) load(address).catch(() => {});
  }

  #status;
  #list;

  async send() {
    clearTimeout(this.#timer);
    const before = await queue.entries();
    if (!before.some((entry) => entry.state === "waiting")) return;
    const { done, sent, why } = await queue.flush();
    this.#why = why;
    await this.#draw();
    if (sent && !document.activeElement?.matches("input, select, textarea")) {
      // The page shows what stood there before.
      return location.reload();
    }
    if (done) {
      this.#wait = FIRST_MS;
      return;
    }
    this.#timer = setTimeout(() => this.send(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, SLOWEST_MS);
  }

  async #draw() {
    const entries = await queue.entries();
    const waits = entries.filter((entry) => entry.state === "waiting");
    this.toggleAttribute("hidden", entries.length === 0 && !this.#said);
    const told = waits.length ? [waiting(waits.length), this.#why].join(" ").trim() : this.#said;
    if (this.#status.textContent !== told) this.#status.textContent = told;
    const now = element("li", {}, this.#button("Send now", () => this.send()));
    const of = (state) => entries.filter((entry) => entry.state === state);
    this.#list.replaceChildren(
      ...waits.map((entry) => element("li", { class: "soft" }, bdi(entry.says))),
      ...(waits.length ? [now] : []),
      ...of("conflict").map((entry) => this.#conflict(entry)),
      ...of("refused").map((entry) => this.#refused(entry)),
    );
  }

  #conflict(entry) {
    const { places, yours, deal } = entry.answer;
    const mine = yours ? outcome(yours, entry.names) : entry.says;
    const told = element(
      "p",
      {},
      element("strong", {}, deal ? `Deal ${deal}: ` : ""),
      "meanwhile it says ",
      bdi(outcome(places, entry.names)),
      "; you entered ",
      bdi(mine),
      ".",
    );
    return element(
      "li",
      { class: "conflict", role: "group", "aria-label": "Something else stands there" },
      told,
      this.#button("Leave what stands", () => queue.drop(entry.id)),
      this.#button("Enter mine", async () => {
        await queue.insist(entry.id);
        this.send();
      }),
    );
  }

  #refused(entry) {
    return element(
      "li",
      { class: "conflict" },
      element("p", {}, bdi(entry.says), ": ", entry.answer?.detail ?? "it was refused."),
      this.#button("Take it off the list", () => queue.drop(entry.id)),
    );
  }

  #button(text, click) {
    return element("button", { type: "button", class: "quiet", click }, text);
  }
}

customElements.define("housu-queue", HousuQueue);
