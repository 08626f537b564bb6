// Housuliiga bots for Node.js (18 or newer) in one file without dependencies.
//
//   node bot.mjs --port 8001     serves webhook calls; the signing secret is in HOUSUBOT_SECRET
//   node bot.mjs --pull URL      connects to the service; the bot's token is in HOUSUBOT_TOKEN
//   node bot.mjs --stdio         plays over standard input and output in a local arena
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const STRENGTH = "3456789TJQKA2*";
const MAX_REQUEST = 64 * 1024;
const TOLERANCE_S = 300;
const KEPT_ANSWERS = 1000;
const SILENCE_MS = 20_000; // a blank line comes every 5 s
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

// Order of ranks: 0 for a three up to 12 for a two, 13 for a joker ("9C" or "9").
export const strength = (cardOrRank) => STRENGTH.indexOf(cardOrRank[0]);

// One decision. `raw` is the whole message; everything else reads from it.
export class Turn {
  constructor(raw) {
    this.raw = raw;
    this.view = raw.view;
    this.legal = raw.legal;
    this.seat = raw.seat;
    this.hand = raw.view.hand ?? [];
  }

  // The legal plays, "P:9x2" for two nines: weakest rank first, fewest cards first.
  get plays() {
    const order = (play) => strength(play[2]) * 100 + Number(play.slice(4));
    return this.legal.filter((a) => a.startsWith("P:")).sort((a, b) => order(a) - order(b));
  }

  // A legal action when there is nothing to play, or you don't care which.
  otherwise() {
    for (const action of ["S", ".", "!"]) {
      if (this.legal.includes(action)) return action === "S" ? "S:/" : action;
    }
    if (this.plays.length) return this.plays[0];
    if (this.legal.includes("B")) return `B:${this.view.down[this.seat].indexOf(true)}`;
    const ranks = this.legal.filter((a) => a.startsWith("C:")).map((a) => a[2]);
    if (ranks.length) return this.claim(ranks.sort((a, b) => strength(a) - strength(b)));
    return ["U", "X", "D", "-"].find((action) => this.legal.includes(action));
  }

  // Bluff games: one card with a rank that may be named, truthful if any card allows it.
  claim(ranks) {
    const honest = this.hand.find((card) => ranks.includes(card[0]));
    return honest ? `C:${honest}=${honest[0]}` : `C:${this.hand[0]}=${ranks[0]}`;
  }
}

// Check the Standard Webhooks signature of a call; throws for one that is unsigned, older or newer
// than 5 minutes, altered, or signed for another bot.
export function verify(secrets, headers, body, now = Date.now() / 1000) {
  const id = headers["webhook-id"] ?? "";
  const stamp = headers["webhook-timestamp"] ?? "";
  if (!id || !/^[0-9]{1,12}$/.test(stamp)) throw new Error("the call is not signed");
  if (Math.abs(now - Number(stamp)) > TOLERANCE_S) {
    throw new Error("the call is too old, or a clock is wrong");
  }
  const given = (headers["webhook-signature"] ?? "").split(" ").map((one) => Buffer.from(one));
  for (const secret of secrets) {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const mac = createHmac("sha256", key).update(`${id}.${stamp}.`).update(body).digest("base64");
    const right = Buffer.from(`v1,${mac}`);
    if (given.some((one) => one.length === right.length && timingSafeEqual(one, right))) return;
  }
  throw new Error("the signature is not right for this bot");
}

const handshake = (bot) => ({
  protocol: 1,
  version: bot.version,
  author: bot.author ?? "",
  presets: bot.presets ?? ["table"],
  concurrency: bot.concurrency ?? 8,
});

// The bot's reply to one message, whichever way it came.
export async function handle(bot, message) {
  switch (message.type) {
    case "turn": {
      const action = await bot.choose(new Turn(message));
      return typeof action === "string" ? { action } : action;
    }
    case "game_start":
      return { entropy: bot.entropy?.(message) ?? "" };
    case "game_end":
      bot.gameEnd?.(message);
      return {};
    case "handshake":
      return handshake(bot);
    case "nonce":
      return { nonce: message.nonce };
    default:
      return {};
  }
}

// An HTTP server for webhook calls; without secrets it trusts all.
export function server(bot, secrets) {
  const answers = new Map(); // by id: the service may ask once more with the same one

  const reply = async (headers, body) => {
    if (secrets.length) {
      try {
        verify(secrets, headers, body);
      } catch (error) {
        return [401, { error: error.message }];
      }
    }
    let message;
    try {
      message = JSON.parse(body);
      if (message === null || typeof message !== "object" || Array.isArray(message)) throw 0;
    } catch {
      return [400, { error: "a message is a JSON object" }];
    }
    const id = secrets.length ? headers["webhook-id"] : undefined;
    if (answers.has(id)) return [200, answers.get(id)];
    try {
      const answer = await handle(bot, message);
      if (id) answers.set(id, answer);
      if (answers.size > KEPT_ANSWERS) answers.delete(answers.keys().next().value);
      return [200, answer];
    } catch (error) {
      console.error(error);
      return [500, { error: "the bot failed; see its own log" }];
    }
  };

  const say = (response, status, answer) => {
    const body = JSON.stringify(answer);
    response.writeHead(status, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    });
    response.end(body);
  };

  return createServer({ keepAliveTimeout: 300_000 }, async (request, response) => {
    if (request.method === "GET") return say(response, 200, handshake(bot));
    const parts = [];
    let size = 0;
    try {
      for await (const part of request) {
        size += part.length;
        if (size > MAX_REQUEST) return request.destroy();
        parts.push(part);
      }
    } catch {
      return; // the caller went away
    }
    if (!request.url.endsWith("/move")) return say(response, 404, { error: "turns go to /move" });
    say(response, ...(await reply(request.headers, Buffer.concat(parts))));
  });
}

// Play by connecting out: read messages from one stream, line by line, and answer each once. A
// stream that breaks is opened again, where it was; open messages come again by themselves.
export async function pull(bot, service, token) {
  const base = service.replace(/\/+$/, "");
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const taken = new Set();
  let after = 0;
  let pause = FIRST_PAUSE_MS;

  const post = async (path, body) => {
    for (let attempt = 0; attempt < 4; attempt++) {
      try {
        const signal = AbortSignal.timeout(SILENCE_MS);
        const call = { method: "POST", headers, body: JSON.stringify(body), signal };
        const answer = await fetch(base + path, call);
        const text = await answer.text();
        if (answer.status >= 500) throw new Error(`status ${answer.status}`);
        if (answer.status >= 400) console.error(`answer refused: ${text}`);
        return;
      } catch (error) {
        console.error(`answer not sent: ${error.message}`);
        await sleep(FIRST_PAUSE_MS * attempt);
      }
    }
  };

  const answer = async (message) => {
    const reply = await handle(bot, message);
    if (message.type === "game_end") return;
    const { request_id, move_number, reply_to } = message;
    const turn = reply_to.endsWith("/moves");
    await post(reply_to, turn ? { move_number, action: reply.action } : { request_id, reply });
  };

  const take = (message) => {
    after = Math.max(after, message.cursor);
    if (taken.has(message.request_id)) return;
    taken.add(message.request_id);
    if (taken.size > KEPT_ANSWERS) taken.delete(taken.values().next().value);
    answer(message).catch((error) => console.error(error));
  };

  const listen = async () => {
    const silent = new AbortController();
    const watch = setTimeout(() => silent.abort(), SILENCE_MS);
    try {
      const path = `/api/v1/bot/stream?after=${after}`;
      const stream = await fetch(base + path, { headers, signal: silent.signal });
      if (stream.status === 401 || stream.status === 403) {
        console.error(`not accepted: ${await stream.text()}`);
        process.exit(1);
      }
      if (stream.status !== 200) throw new Error(`status ${stream.status}`);
      console.error(`connected to ${base}`);
      for await (const line of lines(stream.body)) {
        watch.refresh();
        pause = FIRST_PAUSE_MS;
        if (line.trim()) take(JSON.parse(line));
      }
    } finally {
      clearTimeout(watch);
    }
  };

  for (;;) {
    await listen().catch((error) => console.error(`stream lost: ${error.message}`));
    await sleep(pause * (0.5 + Math.random())); // not all bots at once when the service comes back
    pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
  }
}

async function* lines(body) {
  const decoder = new TextDecoder();
  let left = "";
  for await (const part of body) {
    const whole = (left + decoder.decode(part, { stream: true })).split("\n");
    left = whole.pop();
    yield* whole;
  }
}

async function stdio(bot) {
  const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
  say(handshake(bot));
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      say(await handle(bot, JSON.parse(line)));
    } catch (error) {
      console.error(error);
      say({ error: "the bot failed; see its own log" });
    }
  }
}

// Read the command line and play until told to stop.
export function run(bot, argv = process.argv.slice(2)) {
  const option = (name) => argv[argv.indexOf(name) + 1];
  if (argv.includes("--stdio")) return stdio(bot);
  if (argv.includes("--pull")) {
    const token = process.env.HOUSUBOT_TOKEN;
    if (!token || !/^https?:/.test(option("--pull") ?? "")) {
      console.error("put the bot's token into HOUSUBOT_TOKEN, and say --pull https://...");
      process.exit(2);
    }
    return pull(bot, option("--pull"), token);
  }
  const secrets = (process.env.HOUSUBOT_SECRET ?? "").split(" ").filter(Boolean);
  if (!secrets.length && !argv.includes("--unsigned")) {
    console.error(
      "put the signing secret into HOUSUBOT_SECRET, or say --unsigned, --pull URL or --stdio",
    );
    process.exit(2);
  }
  const port = argv.includes("--port") ? Number(option("--port")) : 8001;
  const host = argv.includes("--host") ? option("--host") : "127.0.0.1";
  const serving = server(bot, argv.includes("--unsigned") ? [] : secrets);
  serving.listen(port, host, () => {
    console.error(`listening at http://${host}:${serving.address().port}/`);
  });
}
