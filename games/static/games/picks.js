// What a player may do now and has picked for it, and the action that comes of it.

import { element, rankName } from "./cards.js";

export class Picks {
  // `changed` is called after every pick, `send` with an action in the notation of records.
  constructor(game, words, changed, send) {
    this.view = game.view;
    this.words = words;
    this.legal = game.legal;
    this.changed = changed;
    this.send = send;
    this.picked = new Set();
    this.swap = this.legal.includes("S");
    this.blind = this.legal.includes("B");
    this.claims = this.legal.filter((entry) => entry.startsWith("C:")).map((e) => e.slice(2));
    this.ranks = new Set(this.legal.filter((e) => e.startsWith("P:")).map((e) => e[2]));
    this.zones = this.swap ? ["hand", "up"] : this.picksCards() ? this.ownZone() : [];
  }

  picksCards() {
    return this.ranks.size > 0 || this.claims.length > 0;
  }

  ownZone() {
    return this.view.hand.length ? ["hand"] : ["up"];
  }

  fits(code) {
    return this.swap || this.claims.length > 0 || this.ranks.has(code[0]);
  }

  cards(zone) {
    return zone === "hand" ? this.view.hand : this.view.up[this.view.seat];
  }

  codes(zone) {
    return this.cards(zone).filter((_, at) => this.picked.has(`${zone}:${at}`));
  }

  // One tap picks all of a rank that may be laid; a second one leaves that card out.
  pick(zone, at) {
    const key = `${zone}:${at}`;
    if (this.picked.has(key)) this.picked.delete(key);
    else if (this.swap || this.claims.length) this.picked.add(key);
    else this.pickRank(zone, this.cards(zone)[at][0], at);
    this.changed();
  }

  pickRank(zone, rank, at) {
    const keys = this.cards(zone).map((code, i) => (code[0] === rank ? `${zone}:${i}` : null));
    const begun = keys.some((key) => this.picked.has(key));
    if (!begun) this.picked = new Set(keys.filter(Boolean));
    else this.picked.add(`${zone}:${at}`);
  }

  turn(slot) {
    this.send(`B:${slot}`);
  }

  // The buttons below the board.
  buttons() {
    const found = [];
    if (this.swap) found.push(this.button(this.swapText(), this.swapAction()));
    if (this.ranks.size) found.push(this.button("Lay", this.laid("P:"), !this.picked.size));
    if (this.claims.length) found.push(...this.claimButtons());
    if (this.blind) found.push(element("span", {}, "Turn over one of your face-down cards."));
    for (const entry of this.legal) {
      if (entry in this.words.actions) {
        found.push(this.button(this.words.actions[entry], entry));
      }
    }
    return found;
  }

  button(text, action, disabled = false) {
    const made = element("button", { type: "button", disabled }, text);
    made.addEventListener("click", () => this.send(action));
    return made;
  }

  laid(prefix) {
    return prefix + this.zones.flatMap((zone) => this.codes(zone)).join("");
  }

  swapText() {
    const [give, take] = [this.codes("hand").length, this.codes("up").length];
    return give || take ? `Swap ${give} for ${take}` : "Keep all as it is";
  }

  swapAction() {
    return `S:${this.codes("hand").join("")}/${this.codes("up").join("")}`;
  }

  claimButtons() {
    const options = this.claims.map((rank) => element("option", { value: rank }, rankName(rank)));
    const select = element("select", { "aria-label": "Rank to say" }, ...options);
    const real = this.codes(this.zones[0])[0]?.[0];
    const rank = [this.rank, real, this.claims[0]].find((one) => this.claims.includes(one));
    select.value = rank;
    select.addEventListener("change", () => {
      this.rank = select.value;
      this.changed();
    });
    const action = `${this.laid("C:")}=${rank}`;
    return [select, this.button("Lay face down and say so", action, !this.picked.size)];
  }
}
