// An element with text in it, never with markup.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== false && value !== null) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== false));
  return made;
}

// What comes from people: isolated, so that its direction does not reach what stands beside it.
export const bdi = (text) => element("bdi", {}, text);
