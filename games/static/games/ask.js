// The referee without the network: looks the answer up in the table that came with the page.
// Every answer in it is the engine's; no rule stands here.

const rulings = JSON.parse(document.getElementById("rulings").textContent);
const form = document.querySelector("form.ask");
const shown = document.getElementById("verdict");

const one = (list, key) => list.findIndex((entry) => entry.key === key);
const near = (list, number) => list.indexOf(Math.min(Math.max(number, list[0]), list.at(-1)));

function verdict(asked) {
  const top = one(rulings.tops, asked.get("top"));
  const card = one(rulings.ranks, asked.get("card"));
  if (top < 0 || card < 0) return null;
  const zone = rulings.zones[one(rulings.zones, asked.get("from"))];
  const { runs, threes } = rulings.tops[top];
  const above = near(threes, Number(asked.get("threes") ?? 0));
  const lying = above * runs.length + near(runs, Number(asked.get("run")));
  const stock = zone.stock ?? asked.get("stock") !== "gone";
  const count = zone.single ? 1 : Number(asked.get("count"));
  const letter = rulings.rows[Number(stock)][top][lying][card * rulings.counts + count - 1];
  return { ...rulings.verdicts[rulings.letters.indexOf(letter)], note: zone.note };
}

function paragraph(text, name = "") {
  const made = document.createElement("p");
  made.textContent = text;
  made.className = name;
  return made;
}

function show() {
  const found = verdict(new FormData(form));
  if (!found) return;
  shown.className = `verdict ${found.legal ? "yes" : "no"}`;
  const says = found.says.map((text) => paragraph(text));
  shown.replaceChildren(...says, paragraph(found.note, "soft"));
}

form.addEventListener("change", show);
form.addEventListener("submit", (sent) => {
  sent.preventDefault();
  show();
});
form.querySelector("button").hidden = true;
