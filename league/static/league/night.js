// What the page of a night does beyond its forms: the clock counts, names can be dragged to another
// table. Without it everything can still be done.

const face = document.querySelector("[data-clock]");
if (face) {
  const end = performance.now() + 1000 * Number(face.dataset.left);
  const show = () => {
    const left = "runs" in face.dataset ? Math.max(0, (end - performance.now()) / 1000) : Number(face.dataset.left);
    const whole = Math.round(left);
    face.textContent = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    face.classList.toggle("over", "runs" in face.dataset && whole === 0);
    if ("runs" in face.dataset && whole > 0) setTimeout(show, 250);
  };
  show();
}

const move = document.querySelector("form[data-move]");
for (const seat of move ? document.querySelectorAll("[data-seats] li[data-entry]") : []) {
  seat.draggable = true;
  seat.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", seat.dataset.entry));
}
for (const table of move ? document.querySelectorAll("[data-seats] [data-table]") : []) {
  table.addEventListener("dragover", (event) => {
    event.preventDefault();
    table.classList.add("over");
  });
  table.addEventListener("dragleave", () => table.classList.remove("over"));
  table.addEventListener("drop", (event) => {
    event.preventDefault();
    table.classList.remove("over");
    const entry = event.dataTransfer.getData("text/plain");
    const from = document.querySelector(`[data-entry="${CSS.escape(entry)}"]`)?.closest("[data-table]");
    if (!from || from === table) return;
    move.elements.entry.value = entry;
    move.elements.table.value = table.dataset.table;
    if (move.elements.entry.value === entry && move.elements.table.value === table.dataset.table) move.requestSubmit();
  });
}
