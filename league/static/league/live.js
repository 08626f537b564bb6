// <housu-live src> keeps its [data-live] parts as the server renders them.
// It polls with the ETag it holds, so nothing travels while nothing changes, and swaps only the
// parts that differ. Without JavaScript the page is whole; a link loads it anew.

const EVERY_MS = 1000;
const SLOWEST_MS = 15000;

class HousuLive extends HTMLElement {
  #etag = "";
  #wait = EVERY_MS;
  #timer = 0;
  #seen = () => this.#plan(0);

  connectedCallback() {
    if (this.hasAttribute("over")) return;
    document.addEventListener("visibilitychange", this.#seen);
    this.#plan(EVERY_MS);
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.#seen);
    clearTimeout(this.#timer);
  }

  #plan(ms) {
    clearTimeout(this.#timer);
    if (!document.hidden) this.#timer = setTimeout(() => this.#poll(), ms);
  }

  async #poll() {
    try {
      const headers = this.#etag ? { "If-None-Match": this.#etag } : {};
      const answer = await fetch(this.getAttribute("src"), { headers, cache: "no-store" });
      if (answer.status === 404) return;
      if (answer.ok) {
        this.#etag = answer.headers.get("ETag") ?? "";
        this.#show(await answer.text());
      }
      this.#wait = answer.ok || answer.status === 304 ? EVERY_MS : this.#slower();
    } catch {
      this.#wait = this.#slower();
    }
    if (this.querySelector("[data-over]")) return;
    this.#plan(this.#wait);
  }

  #slower() {
    return Math.min(2 * this.#wait, SLOWEST_MS);
  }

  #show(html) {
    const next = new DOMParser().parseFromString(html, "text/html");
    for (const part of next.querySelectorAll("[data-live][id]")) {
      const shown = document.getElementById(part.id);
      if (!shown) continue;
      shown.toggleAttribute("data-over", part.hasAttribute("data-over"));
      this.#swap(shown, part);
    }
  }

  // Children that are equal stay: focus, scroll and selection in them survive.
  #swap(shown, part) {
    const held = [...shown.children];
    const fresh = [...part.children];
    if (held.length !== fresh.length) {
      shown.replaceChildren(...part.childNodes);
      return;
    }
    held.forEach((child, index) => {
      if (child.outerHTML !== fresh[index].outerHTML) child.replaceWith(fresh[index]);
    });
  }
}

customElements.define("housu-live", HousuLive);
