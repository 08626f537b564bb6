// The board of one game as elements, made from its JSON. Keeps nothing, asks nobody.

import { card, cardButton, element, gap, rankName } from "./cards.js";

// `hand` is what the player has picked and may press (see table.js), null for who only looks.
export function board(game, hand) {
  const seats = game.seats.map((seat) => seatPanel(game, seat, hand));
  return [pilePanel(game.view), ...seats];
}

function pilePanel(view) {
  const claims = view.claims?.length
    ? element("p", {}, `Said: ${view.claims.map(rankName).join(" ")}`)
    : null;
  const fallen = Object.values(view.fallen).reduce((sum, n) => sum + n, view.fallen_unseen);
  const cards = view.pile.map(card);
  return element(
    "section",
    { class: "panel pile" },
    element("h2", {}, "Pile"),
    element(
      "div",
      { class: "cards fan" },
      ...(cards.length ? cards : [element("span", { class: "soft" }, "empty")]),
    ),
    claims,
    element(
      "p",
      { class: "soft" },
      `${view.pile.length} on the pile · ${view.stock} in the stock · ${fallen} out of play`,
    ),
  );
}

function seatPanel(game, seat, hand) {
  const { view } = game;
  const own = seat.seat === view.seat;
  const acts = view.to_act.includes(seat.seat);
  return element(
    "section",
    { class: `seat${acts ? " to-act" : ""}${own ? " own" : ""}` },
    heading(game, seat, own, acts),
    own ? ownHand(view, hand) : element("p", {}, `${view.hands[seat.seat]} in hand`),
    rows(view, seat.seat, own ? hand : null),
  );
}

export const nameOf = (game, seat) => game.seats[seat].player?.name ?? `seat ${seat + 1}`;

function heading(game, seat, own, acts) {
  const badge = (text, kind = "") => element("span", { class: `badge ${kind}` }, text);
  const machine = ["bot", "house"].includes(seat.player?.kind);
  const place = game.view.out.findIndex((group) => group.includes(seat.seat));
  const parts = [
    machine && badge("BOT", "bot"),
    seat.seat === game.view.dealer && badge("dealer"),
    acts && badge("to act", "turn"),
    seat.stand_in && badge("stand-in", "warn"),
    place >= 0 && badge(`place ${1 + game.view.out.slice(0, place).flat().length}`, "good"),
  ].filter(Boolean);
  const title = element("h3", {}, nameOf(game, seat.seat) + (own ? " (you)" : ""));
  parts.forEach((part) => title.append(" ", part));
  return title;
}

function ownHand(view, hand) {
  if (!view.hand.length) return element("p", { class: "soft" }, "No cards in hand");
  const cards = view.hand.map((code, at) => playable(code, "hand", at, hand));
  return element("div", { class: "cards", role: "group", "aria-label": "Hand" }, ...cards);
}

function rows(view, seat, hand) {
  const up = view.up[seat].map((code, at) => playable(code, "up", at, hand));
  const down = view.down[seat].map((there, slot) => {
    if (!there) return gap();
    if (!hand?.blind) return card(null);
    const label = `turn over card ${slot + 1}`;
    const press = () => hand.turn(slot);
    return cardButton(null, { pressed: false, legal: true, label }, press);
  });
  if (!up.length && !down.some(Boolean)) return null;
  return element("div", { class: "cards", role: "group", "aria-label": "Rows" }, ...up, ...down);
}

function playable(code, zone, at, hand) {
  if (!hand?.zones.includes(zone)) return card(code);
  const pressed = hand.picked.has(`${zone}:${at}`);
  return cardButton(code, { pressed, legal: hand.fits(code) }, () => hand.pick(zone, at));
}
