// Entries in the order in which they were made. They go out in that order, one at a time over all
// tabs. A conflict is kept until somebody decides; it holds up no other entry.

import * as store from "./store.js";
import { send } from "./send.js";

const news = new BroadcastChannel("housu-queue");
const local = new EventTarget();

function tell() {
  news.postMessage("changed");
  local.dispatchEvent(new Event("changed"));
}

export function watch(call) {
  news.addEventListener("message", call);
  local.addEventListener("changed", call);
}

export const entries = () => store.all("entries");

export async function enqueue(entry) {
  await store.append({ ...entry, at: new Date().toISOString() });
  tell();
}

// Whether nothing waits any more, how many were sent, what keeps the rest, and what was said of
// the last one sent.
export function flush() {
  return navigator.locks.request("housu-queue", async () => {
    const held = new Set();
    let [why, says, sent] = ["", "", 0];
    for (const entry of await entries()) {
      if (entry.state !== "waiting" || held.has(entry.path)) continue;
      const result = await send(entry);
      why ||= result.why ?? "";
      says = result.says ?? says;
      sent += Number(result.state === "sent");
      if (result.state === "later" && !result.of) return { done: false, sent, why, says };
      if (result.state === "later") held.add(entry.path);
      else await settle(entry, result);
    }
    return { done: held.size === 0, sent, why, says };
  });
}

async function settle(entry, { state, answer }) {
  if (state === "sent") await store.remove("entries", entry.id);
  else await store.put("entries", { ...entry, state, answer });
  tell();
}

export async function drop(id) {
  await store.remove("entries", id);
  tell();
}

// Enter it all the same, now that one has seen what stands there.
export async function insist(id) {
  const entry = await store.get("entries", id);
  const { version } = entry.answer;
  const fields = entry.fields.filter(([name]) => name !== "seen");
  fields.push(["seen", String(version)]);
  const again = { ...entry, fields, state: "waiting", key: `${entry.key}.${version}` };
  await store.put("entries", again);
  tell();
}
