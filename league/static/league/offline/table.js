// <housu-offline-table>: the page of a table where no network brings it: who sits there as it was
// loaded, what is told or waits, and the next deal. Enters nothing itself: all goes into the queue.

import { bdi, element } from "./element.js";
import * as queue from "./queue.js";
import * as store from "./store.js";
import { outcome } from "./words.js";

const field = (entry, name) => entry.fields.find(([key]) => key === name)?.[1];

class HousuOfflineTable extends HTMLElement {
  connectedCallback() {
    this.code = location.pathname.split("/")[2];
    queue.watch(() => this.#draw());
    document.addEventListener("sent", () => location.reload());
    this.#draw();
  }

  async #draw() {
    const place = await store.get("places", this.code);
    if (!place) return this.replaceChildren(element("p", { class: "lead" }, "This table is not on this phone. Open the night once where there is a network."));
    document.title = `Table ${place.number}`;
    const mine = (await queue.entries()).filter((entry) => entry.path === location.pathname);
    this.replaceChildren(
      element("p", { class: "soft" }, bdi(place.league), ` · round ${place.round}`),
      element("h1", {}, `Table ${place.number}`),
      element("p", { class: "notice warning" }, "No network: what you enter waits on this phone."),
      ...(place.table ? this.#table(place, mine) : [element("p", { class: "lead" }, "Nobody sits here yet.")]),
      element("p", {}, element("a", { href: place.ask }, "Referee: may this be laid?")),
    );
  }

  #table(place, mine) {
    const here = mine.filter((entry) => field(entry, "table") === String(place.table));
    if (!place.keeper && !place.seat) return [this.#who(place)];
    return [this.#next(place, here), this.#soFar(place, here)];
  }

  #who(place) {
    const sit = async (number) => {
      await this.#enter(place, [["sit", String(number)]], `Table ${place.number}: who I am`);
      await store.put("places", { ...place, seat: number });
      this.#draw();
    };
    return element("section", {}, element("h2", {}, "Who are you?"), this.#taps(place, sit, "quiet"));
  }

  #next(place, here) {
    const known = new Set([...place.told.map((one) => one.deal), ...here.map((entry) => Number(field(entry, "deal")))]);
    const deal = Array.from({ length: place.deals }, (_, at) => at + 1).find((number) => !known.has(number));
    if (!deal) return element("p", { class: "lead" }, "All deals of this table are told.");
    const tell = (fields, words) => this.#enter(place, [["deal", String(deal)], ...fields], `Table ${place.number}, deal ${deal}: ${words}`);
    const names = this.#names(place);
    return element(
      "section",
      {},
      element("h2", {}, `Deal ${deal} of ${place.deals}: who was last?`),
      this.#taps(place, (number) => tell([["last", String(number)]], `${names[number]} was last`)),
      this.#order(place, tell),
    );
  }

  #order(place, tell) {
    const send = (sent) => {
      sent.preventDefault();
      tell([...new FormData(sent.target)], "the order");
    };
    const ranks = place.seats.map((_, at) => element("option", {}, String(at + 1)));
    const rows = place.seats.flatMap(({ number, name }) => [
      element("label", { for: `place-${number}` }, bdi(name)),
      element("select", { name: `place-${number}`, id: `place-${number}` }, ...ranks.map((one) => one.cloneNode(true))),
    ]);
    return element(
      "details",
      {},
      element("summary", {}, "The whole order, or abandoned"),
      element("form", { submit: send }, element("div", { class: "seat-order" }, ...rows), element("p", { class: "soft" }, "Who shares a place has the same number."), element("button", {}, "Save the order")),
      element("p", {}, element("button", { type: "button", class: "quiet", click: () => tell([["abandoned", "1"]], "abandoned") }, "It was abandoned")),
    );
  }

  #soFar(place, here) {
    const names = this.#names(place);
    const told = place.told.map((one) => element("li", {}, `Deal ${one.deal}: `, bdi(outcome(one.places, names))));
    const waits = here.filter((entry) => field(entry, "deal")).map((entry) => element("li", {}, bdi(entry.says), " ", element("span", { class: "badge warn" }, entry.state)));
    return element("section", {}, element("h2", {}, "So far"), element("ul", { class: "list" }, ...told, ...waits));
  }

  #taps(place, tap, kind = "") {
    const buttons = place.seats.map(({ number, name }) => element("button", { type: "button", class: kind, click: () => tap(number) }, bdi(name)));
    return element("div", { class: "taps" }, ...buttons);
  }

  #names(place) {
    return Object.fromEntries(place.seats.map(({ number, name }) => [number, name]));
  }

  async #enter(place, fields, says) {
    const whole = [...fields, ["table", String(place.table)]];
    await queue.enqueue({ path: location.pathname, fields: whole, says, names: this.#names(place) });
    document.querySelector("housu-queue")?.send();
  }
}

customElements.define("housu-offline-table", HousuOfflineTable);
