// Results in words, with the names that were known when they were entered.

const named = (names, numbers) =>
  numbers.map((number) => names[number] ?? `no. ${number}`).join(", ");

export function outcome(places, names = {}) {
  if (!places?.length) return "abandoned";
  if (places.length === 1) return "nobody lost it";
  if (places.length === 2) return `${named(names, places[1])} was last`;
  let place = 1;
  return places
    .map((group) => {
      const said = `${place}. ${named(names, group)}`;
      place += group.length;
      return said;
    })
    .join(", ");
}

export const waiting = (count) =>
  count === 1 ? "1 entry waits to be sent." : `${count} entries wait to be sent.`;
