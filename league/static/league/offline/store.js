// What the phone remembers: entries that wait to be sent, and the tables it has loaded.
// Writes are on the disk before they are answered for: a phone may die at any moment.

const STORES = { entries: "id", places: "code", facts: "name" };
let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("housuliiga", 1);
    asked.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) {
        asked.result.createObjectStore(name, { keyPath });
      }
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  return opened;
}

const answered = (asked) =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

const finished = (work) =>
  new Promise((resolve, reject) => {
    work.oncomplete = resolve;
    work.onerror = work.onabort = () => reject(work.error);
  });

async function writing(...names) {
  return (await open()).transaction(names, "readwrite", { durability: "strict" });
}

export async function all(name) {
  return answered((await open()).transaction(name).objectStore(name).getAll());
}

export async function get(name, key) {
  return answered((await open()).transaction(name).objectStore(name).get(key));
}

export async function put(name, ...values) {
  const work = await writing(name);
  values.forEach((value) => work.objectStore(name).put(value));
  await finished(work);
}

export async function remove(name, key) {
  const work = await writing(name);
  work.objectStore(name).delete(key);
  await finished(work);
}

const named = () => `phone.${crypto.getRandomValues(new Uint32Array(3)).join("-")}`;

// An entry gets the phone's next number; number and name of the phone are its key for good.
export async function append(entry) {
  const work = await writing("entries", "facts");
  const facts = work.objectStore("facts");
  const phone = (await answered(facts.get("phone"))) ?? { name: "phone", id: named(), count: 0 };
  phone.count += 1;
  facts.put(phone);
  const key = `${phone.id}.${phone.count}`;
  work.objectStore("entries").put({ ...entry, id: phone.count, key, state: "waiting" });
  await finished(work);
}
