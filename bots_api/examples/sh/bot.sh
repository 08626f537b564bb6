#!/bin/sh
# A bot in shell and jq: lays one card of its lowest rank that fits, and never chances or doubts.
#
#   ./bot.sh --stdio         plays over standard input and output in a local arena
#   ./bot.sh --pull URL      connects to the service, with the bot's token in HOUSUBOT_TOKEN
#
# Needs jq (or JQ=jaq) and, to connect, curl.
set -u
JQ=${JQ:-jq}
# jq holds lines back unless it is told not to; jaq never does and does not know the option.
FLUSH=$($JQ --unbuffered -n '"--unbuffered"' -r 2>/dev/null) || FLUSH=

# What the bot thinks: a message in, its reply out. This is the part to change.
THINK='
def strength: . as $rank | "3456789TJQKA2*" | index($rank);
def plays: [.legal[] | select(startswith("P:"))] | sort_by((.[2:3] | strength), (.[4:] | tonumber));
def claims: [.legal[] | select(startswith("C:")) | .[2:]] | sort_by(strength);
def claim: claims as $ranks
  | (first(.view.hand[] | select(.[:1] as $rank | $ranks | any(. == $rank))) // null) as $honest
  | if $honest then "C:\($honest)=\($honest[:1])" else "C:\(.view.hand[0])=\($ranks[0])" end;
def may($action): .legal | any(. == $action);
def choose:
  if may("S") then "S:/"
  elif may(".") then "."
  elif may("!") then "!"
  elif (plays | length) > 0 then plays[0]
  elif may("B") then "B:\(.seat as $seat | .view.down[$seat] | map(tostring) | index("true"))"
  elif (claims | length) > 0 then claim
  else first(("U", "X", "D", "-") as $action | select(may($action)) | $action) end;
def reply:
  if .type == "turn" then {action: choose}
  elif .type == "nonce" then {nonce}
  elif .type == "handshake" then {protocol: 1, version: "1.0", presets: ["table"], concurrency: 4}
  else {} end;'

stdio() {
  $JQ -nc "$THINK"'{type: "handshake"} | reply'
  exec $JQ -c $FLUSH "$THINK reply"
}

# Where each answer goes, a tab, what it says. A turn of a game goes where any player's move goes.
ANSWERS='select(.type != "game_end") | . as $message | reply as $reply | "\(.reply_to)\t\(
  if .reply_to | endswith("/moves") then {move_number: $message.move_number} + $reply
  else {request_id: $message.request_id, reply: $reply} end | tojson)"'

say() { # $1: path, $2: JSON
  printf 'header = "Authorization: Bearer %s"\n' "$HOUSUBOT_TOKEN" |
    curl -s -K - -o /dev/null -w '%{http_code} %{url_effective}\n' --retry 3 --retry-connrefused \
      -H 'Content-Type: application/json' -d "$2" "$URL$1" | grep -v '^2' >&2
}

stream() {
  printf 'header = "Authorization: Bearer %s"\n' "$HOUSUBOT_TOKEN" |
    curl -sS -N -f -K - --keepalive-time 15 --max-time 600 "$URL/api/v1/bot/stream" |
    $JQ -r $FLUSH "$THINK $ANSWERS"
}

pull() {
  URL=${1%/}
  tab=$(printf '\t')
  while :; do # every open message comes again on a new connection
    stream | while IFS="$tab" read -r path body; do say "$path" "$body" & done
    sleep 1
  done
}

case ${1:-} in
  --stdio) stdio ;;
  --pull) : "${HOUSUBOT_TOKEN:?put the bot\'s token into HOUSUBOT_TOKEN}"; pull "${2:?--pull URL}" ;;
  *) echo "usage: $0 --stdio | --pull URL" >&2; exit 2 ;;
esac
