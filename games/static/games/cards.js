// Cards and small pieces of the table as elements. Knows no game.

const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const RANKS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };
const SVG = "http://www.w3.org/2000/svg";
const SPRITE = new URL("cards.svg", import.meta.url).pathname;

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function cardName(code) {
  if (code === null) return "face down";
  if (code.startsWith("*")) return "joker";
  return `${RANKS[code[0]] ?? code[0]} of ${SUITS[code[1]]}`;
}

export function shortName(code) {
  if (code.startsWith("*")) return "joker";
  return (code[0] === "T" ? "10" : code[0]) + SIGNS[code[1]];
}

export const rankName = (rank) => (rank === "*" ? "joker" : RANKS[rank] ?? rank);

function kind(code) {
  if (code === null) return "back";
  return code.startsWith("*") ? "joker" : code[1];
}

function face(code) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  svg.setAttribute("viewBox", "0 0 60 84");
  const id = code === null ? "back" : code.startsWith("*") ? "joker" : code;
  use.setAttribute("href", `${SPRITE}#${id}`);
  svg.append(use);
  return svg;
}

// A card to look at; null is the back of one.
export function card(code) {
  const svg = face(code);
  svg.setAttribute("class", `card ${kind(code)}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", cardName(code));
  return svg;
}

export const gap = () =>
  element("span", { class: "card gone", role: "img", "aria-label": "gone" });

// A card to press.
export function cardButton(code, { pressed, legal, label }, press) {
  const button = element(
    "button",
    {
      type: "button",
      class: `card ${kind(code)}${legal ? " legal" : ""}`,
      "aria-label": label ?? cardName(code),
      "aria-pressed": String(pressed),
    },
    face(code),
  );
  button.addEventListener("click", press);
  return button;
}
