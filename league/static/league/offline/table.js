// <housu-offline-table>: the page of a table where no network brings it: who sits there as it was
// loaded, what is told or waits, and the next deal. Enters nothing itself: all goes into the queue.

import { bdi, element } from "./element.js";
import * as queue from "./queue.js";
import * as store from "./store.js";
import { outcome } from "./words.js";

const MISSING = "This table is not on this phone. Open the night once where there is a network.";

const field = (entry, name) => entry.fields.find(([key]) => key === name)?.[1];
const said = (text, name = "lead") => element("p", { class: name }, text);

const namesOf = (place) =>
  Object.fromEntries(place.seats.map(({ number, name }) => [number, name]));

class HousuOfflineTable extends HTMLElement {
  connectedCallback() {
    this.code = location.pathname.split("/")[2];
    queue.watch(() => this.#draw());
    this.#draw();
  }

  async #draw() {
    const place = await store.get("places", this.code);
    if (!place) return this.replaceChildren(said(MISSING));
    document.title = `Table ${place.number}`;
    const entries = await queue.entries();
    const here = entries.filter(
      (entry) => entry.path === location.pathname && field(entry, "table") === String(place.table),
    );
    this.replaceChildren(
      element("p", { class: "soft" }, bdi(place.league), ` · round ${place.round}`),
      element("h1", {}, `Table ${place.number}`),
      said("No network: what you enter waits on this phone.", "notice warning"),
      ...(place.table ? this.#table(place, here) : [said("Nobody sits here yet.")]),
      element("p", {}, element("a", { href: place.ask }, "Referee: may this be laid?")),
    );
  }

  #table(place, here) {
    if (!place.keeper && !place.seat) return [this.#who(place)];
    return [this.#next(place, here), this.#soFar(place, here)];
  }

  #who(place) {
    const sit = async (number) => {
      await this.#enter(place, [["sit", String(number)]], "who I am");
      await store.put("places", { ...place, seat: number });
      this.#draw();
    };
    const heading = element("h2", {}, "Who are you?");
    return element("section", {}, heading, this.#taps(place, sit, "quiet"));
  }

  #next(place, here) {
    const known = new Set([
      ...place.told.map((one) => one.deal),
      ...here.map((entry) => Number(field(entry, "deal"))),
    ]);
    let deal = 1;
    while (known.has(deal)) deal += 1;
    if (deal > place.deals) return said("All deals of this table are told.");
    const tell = (fields, words) =>
      this.#enter(place, [["deal", String(deal)], ...fields], `deal ${deal}: ${words}`);
    const last = (number) => tell([["last", String(number)]], `${namesOf(place)[number]} was last`);
    return element(
      "section",
      {},
      element("h2", {}, `Deal ${deal} of ${place.deals}: who was last?`),
      this.#taps(place, last),
      this.#otherwise(place, tell),
    );
  }

  #otherwise(place, tell) {
    const abandoned = () => tell([["abandoned", "1"]], "abandoned");
    const button = { type: "button", class: "quiet", click: abandoned };
    return element(
      "details",
      {},
      element("summary", {}, "The whole order, or abandoned"),
      this.#order(place, tell),
      element("p", {}, element("button", button, "It was abandoned")),
    );
  }

  #order(place, tell) {
    const submit = (sent) => {
      sent.preventDefault();
      tell([...new FormData(sent.target)], "the order");
    };
    const rows = place.seats.flatMap(({ number, name }) => {
      const id = `place-${number}`;
      const ranks = place.seats.map((_, at) => element("option", {}, String(at + 1)));
      return [
        element("label", { for: id }, bdi(name)),
        element("select", { name: id, id }, ...ranks),
      ];
    });
    return element(
      "form",
      { submit },
      element("div", { class: "seat-order" }, ...rows),
      said("Who shares a place has the same number.", "soft"),
      element("button", {}, "Save the order"),
    );
  }

  #soFar(place, here) {
    const names = namesOf(place);
    const told = place.told.map(({ deal, places }) =>
      element("li", {}, `Deal ${deal}: `, bdi(outcome(places, names))),
    );
    const waits = here
      .filter((entry) => field(entry, "deal"))
      .map((entry) => {
        const state = element("span", { class: "badge warn" }, entry.state);
        return element("li", {}, bdi(entry.says), " ", state);
      });
    const list = element("ul", { class: "list" }, ...told, ...waits);
    return element("section", {}, element("h2", {}, "So far"), list);
  }

  #taps(place, tap, kind = "") {
    const buttons = place.seats.map(({ number, name }) =>
      element("button", { type: "button", class: kind, click: () => tap(number) }, bdi(name)),
    );
    return element("div", { class: "taps" }, ...buttons);
  }

  async #enter(place, fields, words) {
    await queue.enqueue({
      path: location.pathname,
      fields: [...fields, ["table", String(place.table)]],
      says: `Table ${place.number}, ${words}`,
      names: namesOf(place),
    });
    document.querySelector("housu-queue")?.send();
  }
}

customElements.define("housu-offline-table", HousuOfflineTable);
