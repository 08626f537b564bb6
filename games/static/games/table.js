// <housu-table>: a game to play, to watch, or to look back at. The page that the server has written
// is there before it and works without it.

import { board, nameOf } from "./board.js";
import { element, rankName, shortName } from "./cards.js";
import { Follower } from "./follow.js";
import { Picks } from "./picks.js";

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

class HousuTable extends HTMLElement {
  connectedCallback() {
    this.address = this.dataset.game;
    this.words = JSON.parse(this.dataset.words);
    this.log = this.querySelector(".events");
    this.told = this.querySelector("[data-part=told]");
    this.parts = this.querySelector("[data-part=board]");
    this.counter = document.querySelector("[data-part=count]");
    this.news = [];
    this.early = [];
    const form = this.querySelector("[data-part=verify]");
    form?.addEventListener("submit", (sent) => this.verify(sent));
    if (this.dataset.replay) this.lookBack(Number(this.dataset.replay));
    else this.follow();
  }

  disconnectedCallback() {
    this.follower?.close();
    document.removeEventListener("keydown", this.keys);
    removeEventListener("hashchange", this.hash);
  }

  // Live

  follow() {
    this.follower = new Follower(this.address, {
      event: (event) => this.news.push(event),
      view: (game) => this.show(game),
      phrase: (phrase) => this.hear(phrase),
      end: () => location.reload(),
    });
  }

  show(game) {
    // Before the deal, and when it comes, the page is the server's.
    if (!game.view || !this.parts) return this.reloadIfNew(game);
    this.game = game;
    this.early.splice(0).forEach((phrase) => this.hear(phrase));
    if (this.log && this.news.length) this.tell();
    this.picks = this.mayAct() ? this.newPicks(game) : null;
    this.draw();
  }

  reloadIfNew(game) {
    const seen = JSON.stringify([game.state, game.seats, Boolean(game.view)]);
    if (this.seen !== undefined && this.seen !== seen) location.reload();
    else if (game.view && !this.parts) location.reload();
    this.seen = seen;
  }

  mayAct() {
    return this.game.legal.length > 0 && !this.game.waiting;
  }

  newPicks(game) {
    return new Picks(game, this.words, () => this.draw(), (action) => this.send(action));
  }

  // The page that the server has written has the last ones; the stream begins with them too.
  hear(phrase) {
    const list = this.querySelector("[data-part=said]");
    if (!list || !this.game) return this.early.push(phrase);
    if (!this.heard) list.replaceChildren();
    this.heard = true;
    const name = nameOf(this.game, phrase.seat);
    list.append(element("li", {}, `${name}: ${this.words.phrases[phrase.phrase]}`));
  }

  draw() {
    const focus = this.focused();
    const moves = element("section", { class: "panel", id: "move", hidden: !this.picks });
    moves.append(element("div", { class: "moves" }, ...(this.picks?.buttons() ?? [])));
    this.parts.replaceChildren(...board(this.game, this.picks), moves);
    this.sayPly(this.game.view.ply);
    this.say(this.status());
    this.parts.inert = false;
    this.focusOn(focus);
  }

  // What was in focus is drawn anew: the same place among the buttons takes its part.
  focused() {
    return [...this.parts.querySelectorAll("button, select")].indexOf(document.activeElement);
  }

  focusOn(at) {
    if (at >= 0) this.parts.querySelectorAll("button, select")[at]?.focus();
  }

  status() {
    const { game } = this;
    if (game.places) return "";
    if (game.waiting) return "Your answer is in; the others still think.";
    if (this.picks) return "Your turn.";
    const names = game.view.to_act.map((seat) => nameOf(game, seat));
    return `To act: ${names.join(", ")}.`;
  }

  say(text) {
    if (this.told.textContent !== text) this.told.textContent = text;
  }

  sayPly(ply) {
    this.counter.textContent = `ply ${ply}`;
  }

  async send(action) {
    // Nothing can be pressed twice: what comes next is drawn when the view comes.
    this.parts.inert = true;
    const token = this.querySelector("[name=csrfmiddlewaretoken]").value;
    const answer = await fetch(`${this.address}/moves`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
      body: JSON.stringify({ move_number: this.game.move_number, action }),
    }).catch(() => null);
    if (answer?.ok) return;
    this.parts.inert = false;
    const problem = answer ? await answer.json() : { detail: "No connection.", hint: "" };
    this.say(`${problem.title ?? ""} ${problem.detail} ${problem.hint ?? ""}`.trim());
  }

  // What happened, the newest on top

  tell() {
    const items = this.news.splice(0).map((event) => this.item(event));
    if (!this.written) this.log.replaceChildren();
    this.written = true;
    this.log.prepend(...items.reverse());
  }

  item(event) {
    return element("li", {}, this.sentence(event));
  }

  sentence(event) {
    const count = event.count === 1 ? "1 card" : `${event.count ?? 0} cards`;
    const known = {
      name: event.seat === undefined ? "" : nameOf(this.game, event.seat),
      cards: (event.cards ?? []).map(shortName).join(" "),
      rank: rankName(event.rank ?? ""),
      count,
    };
    return this.words.events[event.event].replace(/{(\w+)}/g, (_, key) => known[key]);
  }

  async verify(sent) {
    // Without WebCrypto (an address that is not secure) the server's own page does it.
    if (!globalThis.crypto?.subtle) return;
    sent.preventDefault();
    const output = sent.target.querySelector("output");
    output.textContent = "…";
    const { check } = await import("./verify.js");
    const answer = await fetch(`${this.address}/proof`);
    const failed = answer.ok ? await check(await answer.json()) : "proof";
    output.textContent = failed
      ? `The proof does not hold: ${failed}.`
      : "Checked in this browser: seed, commitment, shuffle and chain hold.";
  }

  // Looking back

  lookBack(last) {
    this.last = last;
    this.views = new Map();
    this.slider = this.querySelector("[data-part=ply]");
    this.slider.parentElement.hidden = false;
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    this.querySelectorAll("a[data-step]").forEach((link) =>
      link.addEventListener("click", (press) => {
        press.preventDefault();
        this.goTo(this.ply + KEYS[link.dataset.step]);
      }),
    );
    this.keys = (key) => this.pressed(key);
    this.hash = () => this.fromHash();
    document.addEventListener("keydown", this.keys);
    addEventListener("hashchange", this.hash);
    this.log.addEventListener("click", (press) => {
      const item = press.target.closest("li[data-ply]");
      if (!item || !press.target.closest("a")) return;
      press.preventDefault();
      this.goTo(Number(item.dataset.ply));
    });
    this.ply = Number(this.dataset.at);
    this.fromHash();
  }

  fromHash() {
    const asked = /^#(\d{1,6})$/.exec(location.hash);
    if (asked) this.goTo(Number(asked[1]));
  }

  pressed(key) {
    const typing = key.target.matches?.("input, select, textarea");
    if (!(key.key in KEYS) || typing || key.ctrlKey || key.altKey || key.metaKey) return;
    key.preventDefault();
    this.goTo(this.ply + KEYS[key.key]);
  }

  async goTo(ply) {
    this.ply = Math.max(0, Math.min(this.last, ply));
    this.slider.value = this.ply;
    history.replaceState(null, "", `#${this.ply}`);
    const wanted = this.ply;
    if (!this.views.has(wanted)) {
      const answer = await fetch(`${this.address}?ply=${wanted}`);
      if (!answer.ok) return;
      this.views.set(wanted, await answer.json());
    }
    // Somebody who steps quickly wants the last one only.
    if (wanted === this.ply) this.stepped(this.views.get(wanted));
  }

  stepped(game) {
    this.parts.replaceChildren(...board(game, null));
    this.sayPly(`${this.ply} of ${this.last}`);
    for (const item of this.log.children) {
      item.toggleAttribute("data-now", Number(item.dataset.ply) === this.ply);
    }
    this.log.querySelector("[data-now]")?.scrollIntoView({ block: "nearest" });
  }
}

customElements.define("housu-table", HousuTable);
