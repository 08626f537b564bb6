// Two players and a whole game by the client that was generated from the OpenAPI document.
import createClient from "openapi-fetch";

import type { components, paths } from "./schema.d.ts";

type Game = components["schemas"]["GameShape"];

const baseUrl = process.argv[2]!;

async function somebody(name: string) {
  const anybody = createClient<paths>({ baseUrl });
  const { data } = await anybody.POST("/api/v1/players", { body: { name } });
  if (!data?.token) throw new Error("no token");
  const headers = { Authorization: `Bearer ${data.token}` };
  return createClient<paths>({ baseUrl, headers });
}

type Player = Awaited<ReturnType<typeof somebody>>;

async function look(player: Player, game_id: string): Promise<Game> {
  const { data, error } = await player.GET("/api/v1/games/{game_id}", {
    params: { path: { game_id } },
  });
  if (!data) throw new Error(error?.code);
  return data;
}

/** Make a move if it is this player's turn, as whoever has nothing but the list would. */
async function move(player: Player, game_id: string): Promise<boolean> {
  const { legal, move_number } = await look(player, game_id);
  const action = legal[0];
  if (action === undefined || move_number === null) return false;
  const { data, error } = await player.POST("/api/v1/games/{game_id}/moves", {
    params: { path: { game_id } },
    body: { move_number, action },
  });
  if (!data) throw new Error(error?.code);
  return true;
}

const players = [await somebody("Aino"), await somebody("Bertil")] as const;
const [aino, bertil] = players;

const refused = await aino.POST("/api/v1/games", { body: { preset: "nothing" } });
if (!refused.error?.code) throw new Error("an impossible game was made");

const { data: made } = await aino.POST("/api/v1/games", {
  body: { preset: "classic", seats: ["open", "open"], options: { max_plies: 100 } },
});
if (!made) throw new Error("no game");
const params = { path: { game_id: made.id } };
await bertil.POST("/api/v1/games/{game_id}/join", { params, body: {} });
for (const player of players) {
  await player.POST("/api/v1/games/{game_id}/ready", { params, body: { entropy: "rain" } });
}

let moves = 0;
let game = await look(aino, made.id);
while (game.state === "playing") {
  for (const player of players) if (await move(player, made.id)) moves += 1;
  game = await look(aino, made.id);
}
console.log(JSON.stringify({ id: game.id, state: game.state, places: game.places, moves }));
