// Checks a proof with WebCrypto alone: that the seed fits the commitment, that the pack follows
// from seed and entropy, that the chain over the actions ends in the head. Whether the actions are
// legal says the full verifier (`housu.pyz verify`).

const ENCODER = new TextEncoder();
const RANKS = [..."23456789TJQKA"];
const SUITS = [..."CDHS"];

// null if everything holds, else the key of the proof that does not.
export async function check(proof) {
  const seed = bytes(proof.server_seed);
  const kind = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", seed, kind, false, ["sign"]);
  const hmac = async (message) => new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
  const id = hex((await hmac(ENCODER.encode("deck id"))).slice(0, 16));
  if (id !== proof.deck_id) return "deck_id";
  if (hex(await sha256(seed)) !== proof.commitment) return "commitment";
  const given = JSON.stringify([proof.deck_id, proof.entropies]);
  const pack = await shuffled(await hmac(ENCODER.encode(given)), proof.record.deck);
  if (pack.join() !== proof.record.deck.join()) return "deck";
  return (await head(proof, hmac)) === proof.head ? null : "head";
}

async function head(proof, hmac) {
  let link = bytes(proof.commitment);
  for (const [at, entry] of proof.record.actions.entries()) {
    const salt = await hmac(join(ENCODER.encode("salt"), number(at + 1)));
    const action = JSON.stringify([Number(entry[0]), entry.slice(2), proof.at_ms[at]]);
    link = await sha256(join(link, salt, ENCODER.encode(action)));
  }
  return hex(link);
}

// The published shuffle: Fisher-Yates over words of SHA-256(seed, counter); too large ones skipped.
async function shuffled(seed, deck) {
  const pack = ordered(deck);
  const words = stream(seed);
  for (let i = pack.length - 1; i > 0; i -= 1) {
    const limit = 2 ** 32 - (2 ** 32 % (i + 1));
    let word;
    do word = (await words.next()).value;
    while (word >= limit);
    const j = word % (i + 1);
    [pack[i], pack[j]] = [pack[j], pack[i]];
  }
  return pack;
}

function ordered(deck) {
  const jokers = deck.filter((card) => card[0] === "*").length;
  const packs = (deck.length - jokers) / 52;
  const one = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
  const all = Array.from({ length: packs }, () => one).flat();
  return [...all, ...Array.from({ length: jokers }, (_, at) => `*${at + 1}`)];
}

async function* stream(seed) {
  for (let counter = 0; ; counter += 1) {
    const block = new DataView((await sha256(join(seed, number(counter)))).buffer);
    for (let at = 0; at < 32; at += 4) yield block.getUint32(at);
  }
}

async function sha256(data) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data));
}

function number(value) {
  const four = new Uint8Array(4);
  new DataView(four.buffer).setUint32(0, value);
  return four;
}

function join(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function bytes(text) {
  return Uint8Array.from(text.match(/../g), (pair) => Number.parseInt(pair, 16));
}

function hex(data) {
  return [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
