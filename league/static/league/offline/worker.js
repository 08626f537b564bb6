// The worker of the night, table and referee pages: the network first, what is loaded where there
// is none. It keeps these pages and the files they need, and touches nothing else.
// VERSION and FILES are put before this text by the service.

const KEPT = `files-${VERSION}`;
const SHELL = "/t/";
const PAGES = [/^\/t\/[^/]+\/$/, /^\/l\/[^/]+\/night\/$/, /^\/rules\/[^/]+\/ask\/$/];
const PATIENCE_MS = 5000;

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(tidy());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (FILES.includes(pathname)) {
    event.respondWith(file(request, pathname));
  } else if (request.mode === "navigate" && PAGES.some((one) => one.test(pathname))) {
    event.respondWith(page(request, pathname));
  }
});

async function install() {
  const files = await caches.open(KEPT);
  await files.addAll(FILES.map((path) => new Request(path, { cache: "reload" })));
  await self.skipWaiting();
}

async function tidy() {
  const old = (await caches.keys()).filter((name) => name.startsWith("files-") && name !== KEPT);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function file(request, path) {
  try {
    const answer = await hurried(request);
    if (answer.ok) return answer;
  } catch {
    // What is loaded follows.
  }
  return (await caches.match(path, { ignoreVary: true })) ?? Response.error();
}

async function page(request, path) {
  try {
    const answer = await hurried(request);
    if (answer.status < 500) {
      await remember(path, answer);
      return answer;
    }
  } catch {
    // What is loaded follows.
  }
  const pages = await caches.open("pages");
  const kept = await pages.match(path.startsWith(SHELL) ? SHELL : path, { ignoreVary: true });
  return kept ?? missing();
}

function missing() {
  const said = "No network, and this page is not on this phone yet.";
  return new Response(said, { status: 503, headers: { "Content-Type": "text/plain" } });
}

// The page of a table is made from what is loaded, so that it is never somebody else's.
async function remember(path, answer) {
  const pages = await caches.open("pages");
  if (answer.status === 403 || answer.status === 404) {
    await pages.delete(path);
  } else if (answer.ok && !answer.redirected && !path.startsWith(SHELL)) {
    await pages.put(path, answer.clone());
  }
}

// A network that does not answer is none; once it was slow the next ones wait less.
let slowUntil = 0;

async function hurried(request) {
  const patience = Date.now() < slowUntil ? PATIENCE_MS / 10 : PATIENCE_MS;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      slowUntil = Date.now() + 30000;
      reject(new Error("late"));
    }, patience);
  });
  try {
    return await Promise.race([fetch(request), late]);
  } finally {
    clearTimeout(timer);
  }
}
