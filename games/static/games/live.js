// Loads the table anew when the game has changed. Without this script the page does so by itself.
const address = document.getElementById("live").dataset.game;
const pause = 2000;
let tag = null;

async function look() {
  try {
    const answer = await fetch(address, {
      headers: tag ? { "If-None-Match": tag } : {},
      cache: "no-store",
    });
    const now = answer.headers.get("ETag");
    if (answer.status === 200 && tag && now !== tag && !document.querySelector("form input:checked")) {
      location.reload();
      return;
    }
    tag = now ?? tag;
  } catch {
    // Offline for a moment: look again later.
  }
  setTimeout(look, pause);
}

look();
