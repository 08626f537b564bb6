// Sends one entry, and says what came of it:
// sent, later (no network, or somebody has to log in first), conflict, or refused.

const AGAIN = "You may not enter this now: log in, or open the club's link again.";

function cookie(name) {
  const found = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? "";
}

function post(entry) {
  const body = new URLSearchParams(entry.fields);
  body.set("key", entry.key);
  const headers = { "X-Queued": entry.key, "X-CSRFToken": cookie("csrftoken") };
  const signal = AbortSignal.timeout(20000);
  return fetch(entry.path, { method: "POST", body, headers, redirect: "manual", signal });
}

const isJson = (answer) => (answer.headers.get("Content-Type") ?? "").includes("json");

export async function send(entry) {
  try {
    let answer = await post(entry);
    if (answer.status === 403) {
      // The token of forms has run out, perhaps: every page brings a new one.
      await fetch(entry.path, { cache: "no-store" });
      answer = await post(entry);
    }
    return await outcome(answer);
  } catch {
    return { state: "later", why: "" };
  }
}

async function outcome(answer) {
  const { status } = answer;
  if (isJson(answer)) {
    if (status === 200) return { state: "sent", ...(await answer.json()) };
    if (status === 409) return { state: "conflict", answer: await answer.json() };
    if (status === 422) return { state: "refused", answer: await answer.json() };
  }
  if ([401, 403, 404].includes(status) || answer.type === "opaqueredirect") {
    return { state: "later", why: AGAIN, of: "path" };
  }
  return { state: "later", why: status === 429 ? "Too many at once: it goes on in a while." : "" };
}
