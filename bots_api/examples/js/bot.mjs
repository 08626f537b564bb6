// A bot that lays one card of its lowest rank that fits, and never chances or doubts.
import { run } from "./housu.mjs";

run({
  version: "1.0",
  choose: (turn) => turn.plays[0] ?? turn.otherwise(),
});
