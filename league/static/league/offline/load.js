// Loads a night on the first opening: its tables into the phone's memory, its pages and the worker
// that serves them without a network. Each page is its own scope, so no other page passes here.

import * as store from "./store.js";

const WORKER = "/offline.js";

async function install(scope) {
  const asked = { scope, updateViaCache: "none" };
  const registered = await navigator.serviceWorker.register(WORKER, asked);
  const worker = registered.active ?? registered.waiting ?? registered.installing;
  while (worker.state !== "activated" && worker.state !== "redundant") {
    await new Promise((changed) => worker.addEventListener("statechange", changed, { once: true }));
  }
}

export async function load(address) {
  const answer = await fetch(address, { cache: "no-store" });
  if (!answer.ok) return;
  const night = await answer.json();
  await store.put("places", ...night.places);
  if (!("serviceWorker" in navigator)) return;
  await Promise.all(night.scopes.map(install));
  const pages = await caches.open("pages");
  for (const page of night.pages) {
    const found = await fetch(page, { cache: "no-store" });
    if (found.ok && !found.redirected) await pages.put(page, found);
  }
  document.documentElement.dataset.loaded = "yes";
}
