// The clock of the wall in the zone of the club, and how long the round has taken.

const two = (number) => String(number).padStart(2, "0");

function tick() {
  const now = new Date();
  for (const shown of document.querySelectorAll("[data-clock]")) {
    const parts = { hour: "2-digit", minute: "2-digit", hour12: false };
    const zoned = { timeZone: shown.dataset.zone, ...parts };
    shown.textContent = new Intl.DateTimeFormat("en-GB", zoned).format(now);
  }
  for (const shown of document.querySelectorAll("[data-since]")) {
    const minutes = Math.max(0, Math.floor((now - new Date(shown.dateTime)) / 60000));
    shown.textContent = `${Math.floor(minutes / 60)}:${two(minutes % 60)} h`;
  }
}

tick();
setInterval(tick, 1000);
