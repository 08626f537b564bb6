// Housuliiga bots in Go, with the standard library alone.
//
//	./bot --port 8001    serves webhook calls; the signing secret is in HOUSUBOT_SECRET
//	./bot --pull URL     connects to the service; the bot's token is in HOUSUBOT_TOKEN
//	./bot --stdio        plays over standard input and output in a local arena
package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	strengths   = "3456789TJQKA2*"
	maxRequest  = 64 * 1024
	tolerance   = 300 * time.Second
	keptAnswers = 1000
)

// A Bot chooses actions. Give Version a new value when it plays differently.
type Bot struct {
	Version string
	Author  string
	Presets []string
	Choose  func(Turn) string
}

// A Turn is one decision; view and message have more members than these.
type Turn struct {
	Seat  int      `json:"seat"`
	Legal []string `json:"legal"`
	View  struct {
		Hand []string `json:"hand"`
		Down [][]bool `json:"down"`
		Pile []string `json:"pile"`
	} `json:"view"`
	DeadlineMs int `json:"deadline_ms"`
}

// Strength is the order of ranks: 0 for a three up to 12 for a two, 13 for a joker.
func Strength(cardOrRank string) int { return strings.IndexByte(strengths, cardOrRank[0]) }

// Plays are the legal plays, "P:9x2" for two nines: weakest rank first, fewest cards first.
func (turn Turn) Plays() []string {
	plays := turn.starting("P:")
	order := func(play string) int {
		count, _ := strconv.Atoi(play[4:])
		return Strength(play[2:])*100 + count
	}
	slices.SortFunc(plays, func(a, b string) int { return order(a) - order(b) })
	return plays
}

// Otherwise is a legal action when there is nothing to play, or you don't care which.
func (turn Turn) Otherwise() string {
	may := func(action string) bool { return slices.Contains(turn.Legal, action) }
	plays := turn.Plays()
	switch {
	case may("S"):
		return "S:/"
	case may("."):
		return "."
	case may("!"):
		return "!"
	case len(plays) > 0:
		return plays[0]
	case may("B"):
		return fmt.Sprintf("B:%d", slices.Index(turn.View.Down[turn.Seat], true))
	case len(turn.starting("C:")) > 0:
		return turn.claim(turn.starting("C:"))
	}
	for _, action := range []string{"U", "X", "D"} {
		if may(action) {
			return action
		}
	}
	return "-"
}

// Bluff games: one card with a rank that may be named, truthful if any card allows it.
func (turn Turn) claim(claims []string) string {
	slices.SortFunc(claims, func(a, b string) int { return Strength(a[2:]) - Strength(b[2:]) })
	for _, card := range turn.View.Hand {
		if slices.Contains(claims, "C:"+card[:1]) {
			return "C:" + card + "=" + card[:1]
		}
	}
	return "C:" + turn.View.Hand[0] + "=" + claims[0][2:]
}

func (turn Turn) starting(start string) (found []string) {
	for _, action := range turn.Legal {
		if strings.HasPrefix(action, start) {
			found = append(found, action)
		}
	}
	return found
}

// Verify checks the Standard Webhooks signature of a call: an error for one that is unsigned,
// older or newer than 5 minutes, altered, or signed for another bot.
func Verify(secrets []string, header http.Header, body []byte, now time.Time) error {
	id, stamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if id == "" || err != nil || len(stamp) > 12 {
		return errors.New("the call is not signed")
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return errors.New("the call is too old, or a clock is wrong")
	}
	for _, secret := range secrets {
		text := strings.TrimRight(strings.TrimPrefix(secret, "whsec_"), "=")
		key, err := base64.RawStdEncoding.DecodeString(text)
		if err != nil {
			return errors.New("HOUSUBOT_SECRET holds no signing secret (whsec_...)")
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", id, stamp, body)
		right := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, one := range strings.Fields(header.Get("webhook-signature")) {
			if hmac.Equal([]byte(one), right) {
				return nil
			}
		}
	}
	return errors.New("the signature is not right for this bot")
}

type answer map[string]any

func (bot Bot) handshake() answer {
	presets := bot.Presets
	if presets == nil {
		presets = []string{"table"}
	}
	return answer{
		"protocol": 1, "version": bot.Version, "author": bot.Author,
		"presets": presets, "concurrency": 8,
	}
}

// handle is the bot's reply to one message, whichever way it came.
func (bot Bot) handle(body []byte) (reply answer, err error) {
	defer func() {
		if failed := recover(); failed != nil {
			err = fmt.Errorf("the bot failed: %v", failed)
		}
	}()
	var message struct {
		Type  string `json:"type"`
		Nonce string `json:"nonce"`
	}
	if err := json.Unmarshal(body, &message); err != nil {
		return nil, err
	}
	switch message.Type {
	case "turn":
		var turn Turn
		if err := json.Unmarshal(body, &turn); err != nil {
			return nil, err
		}
		return answer{"action": bot.Choose(turn)}, nil
	case "handshake":
		return bot.handshake(), nil
	case "nonce":
		return answer{"nonce": message.Nonce}, nil
	}
	return answer{}, nil // game_start: no entropy of ours; game_end: thank you
}

type server struct {
	bot     Bot
	secrets []string
	lock    sync.Mutex
	answers map[string]answer // by id: the service may ask once more with the same one
	ids     []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		say(w, 200, s.bot.handshake())
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		say(w, 413, answer{"error": "a message has at most 64 KiB"})
		return
	}
	if !strings.HasSuffix(r.URL.Path, "/move") {
		say(w, 404, answer{"error": "turns go to /move"})
		return
	}
	if len(s.secrets) > 0 {
		if err := Verify(s.secrets, r.Header, body, time.Now()); err != nil {
			say(w, 401, answer{"error": err.Error()})
			return
		}
	}
	if !json.Valid(body) || bytes.TrimSpace(body)[0] != '{' {
		say(w, 400, answer{"error": "a message is a JSON object"})
		return
	}
	reply, err := s.answer(r.Header.Get("webhook-id"), body)
	if err != nil {
		log.Print(err)
		say(w, 500, answer{"error": "the bot failed; see its own log"})
		return
	}
	say(w, 200, reply)
}

// answer asks the bot, unless it has answered this id already.
func (s *server) answer(id string, body []byte) (answer, error) {
	s.lock.Lock()
	kept, known := s.answers[id]
	s.lock.Unlock()
	if known {
		return kept, nil
	}
	reply, err := s.bot.handle(body)
	if err != nil || id == "" || len(s.secrets) == 0 {
		return reply, err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.answers[id] = reply
	s.ids = append(s.ids, id)
	if len(s.ids) > keptAnswers {
		delete(s.answers, s.ids[0])
		s.ids = s.ids[1:]
	}
	return reply, nil
}

func say(w http.ResponseWriter, status int, reply answer) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(reply)
}

func stdio(bot Bot) {
	out := json.NewEncoder(os.Stdout)
	out.Encode(bot.handshake())
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 2*maxRequest)
	for in.Scan() {
		reply, err := bot.handle(in.Bytes())
		if err != nil {
			log.Print(err)
			reply = answer{"error": "the bot failed; see its own log"}
		}
		out.Encode(reply)
	}
}

// Run reads the command line and plays until told to stop.
func Run(bot Bot) {
	host := flag.String("host", "127.0.0.1", "address to listen at")
	port := flag.Int("port", 8001, "port to listen at")
	service := flag.String("pull", "", "connect to the service at this URL instead of listening")
	overStdio := flag.Bool("stdio", false, "play over standard input and output")
	unsigned := flag.Bool("unsigned", false, "answer unsigned calls too")
	flag.Parse()
	if *overStdio {
		stdio(bot)
		return
	}
	if *service != "" {
		token := os.Getenv("HOUSUBOT_TOKEN")
		if token == "" {
			log.Fatal("put the bot's token into HOUSUBOT_TOKEN")
		}
		log.Fatal(pull(bot, *service, token))
	}
	secrets := strings.Fields(os.Getenv("HOUSUBOT_SECRET"))
	if *unsigned {
		secrets = nil
	} else if len(secrets) == 0 {
		log.Fatal("put the signing secret into HOUSUBOT_SECRET, or say --unsigned, --pull URL or --stdio")
	}
	address := fmt.Sprintf("%s:%d", *host, *port)
	log.Printf("listening at http://%s/", address)
	log.Fatal(http.ListenAndServe(address, &server{
		bot: bot, secrets: secrets, answers: map[string]answer{},
	}))
}
