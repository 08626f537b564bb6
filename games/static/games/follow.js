// Follows one game: by its event stream, or by polling where streams don't come through.

const PAUSE_MS = 2000;
const POLLS_BEFORE_A_STREAM = 15;
// A view comes at once over a stream that comes through; some proxies hold it back, some cut it.
const PATIENCE_MS = 8000;
const MOST_FAILURES = 3;

export class Follower {
  // `told` has the functions event(event), view(game), phrase(phrase) and end().
  constructor(address, told) {
    this.address = address;
    this.told = told;
    this.last = -1;
    this.tag = null;
    this.open();
  }

  open() {
    const stream = new EventSource(`${this.address}/events?after=${this.last}`);
    this.stream = stream;
    this.failures = 0;
    this.patience = setTimeout(() => this.giveUp(), PATIENCE_MS);
    stream.addEventListener("event", (message) => this.take(JSON.parse(message.data)));
    stream.addEventListener("view", (message) => {
      clearTimeout(this.patience);
      this.failures = 0;
      this.told.view(JSON.parse(message.data));
    });
    stream.addEventListener("phrase", (message) => this.hear(JSON.parse(message.data)));
    stream.addEventListener("end", () => this.close(true));
    // The browser comes back by itself, with the number it has, unless it is refused.
    stream.addEventListener("error", () => {
      this.failures += 1;
      const refused = stream.readyState === EventSource.CLOSED;
      if (refused || this.failures >= MOST_FAILURES) this.giveUp();
    });
  }

  giveUp() {
    clearTimeout(this.patience);
    this.stream.close();
    this.poll(POLLS_BEFORE_A_STREAM);
  }

  take(event) {
    if (event.number <= this.last) return;
    this.last = event.number;
    this.told.event(event);
  }

  // A stream that is opened again begins with the last phrases.
  hear(phrase) {
    if (phrase.id <= (this.heard ?? 0)) return;
    this.heard = phrase.id;
    this.told.phrase(phrase);
  }

  close(ended = false) {
    this.closed = true;
    this.stream.close();
    clearTimeout(this.patience);
    clearTimeout(this.timer);
    if (ended) this.told.end();
  }

  async poll(left) {
    if (this.closed) return;
    if (left === 0) return this.open();
    let over = false;
    try {
      over = await this.look();
    } catch {
      // Offline for a moment: look again later.
    }
    if (over) this.close(true);
    else this.timer = setTimeout(() => this.poll(left - 1), PAUSE_MS);
  }

  async look() {
    const headers = this.tag ? { "If-None-Match": this.tag } : {};
    const answer = await fetch(this.address, { headers, cache: "no-store" });
    if (answer.status !== 200) return false;
    this.tag = answer.headers.get("ETag");
    const game = await answer.json();
    const more = await fetch(`${this.address}/events?after=${this.last}`, { cache: "no-store" });
    if (more.ok) (await more.json()).events.forEach((event) => this.take(event));
    this.told.view(game);
    return game.state === "over" || game.state === "void";
  }
}
