package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	silence      = 20 * time.Second // a blank line comes every 5 s
	firstPause   = 500 * time.Millisecond
	longestPause = 15 * time.Second
)

// A puller plays by connecting out: it reads messages from one stream, line by line, and answers
// each once. A stream that breaks is opened again; open messages come again by themselves.
type puller struct {
	bot     Bot
	service string
	token   string
	client  http.Client
	after   int64
	taken   map[string]bool
	ids     []string
	open    sync.WaitGroup
}

type envelope struct {
	Type       string `json:"type"`
	RequestID  string `json:"request_id"`
	ReplyTo    string `json:"reply_to"`
	MoveNumber int    `json:"move_number"`
	Cursor     int64  `json:"cursor"`
}

// pull plays until the token is not accepted any more.
func pull(bot Bot, service, token string) error {
	p := puller{
		bot: bot, service: strings.TrimRight(service, "/"), token: token,
		taken: map[string]bool{},
	}
	p.client.Transport = &http.Transport{MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute}
	pause := firstPause
	for {
		heard, err := p.listen()
		if refused, ok := err.(notAccepted); ok {
			p.open.Wait()
			return refused
		}
		log.Printf("stream lost: %v", err)
		if heard {
			pause = firstPause
		}
		// Not all bots at once when the service comes back.
		time.Sleep(time.Duration(float64(pause) * (0.5 + rand.Float64())))
		pause = min(longestPause, pause*2)
	}
}

type notAccepted string

func (text notAccepted) Error() string { return "not accepted: " + string(text) }

// listen reads one stream to its end; whether anything came, and why it ended.
func (p *puller) listen() (heard bool, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	watch := time.AfterFunc(silence, cancel)
	defer watch.Stop()
	path := fmt.Sprintf("/api/v1/bot/stream?after=%d", p.after)
	answered, err := p.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return false, err
	}
	defer answered.Body.Close()
	if answered.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answered.Body, 2000))
		if answered.StatusCode == 401 || answered.StatusCode == 403 {
			return false, notAccepted(text)
		}
		return false, fmt.Errorf("status %d: %s", answered.StatusCode, text)
	}
	log.Printf("connected to %s", p.service)
	lines := bufio.NewScanner(answered.Body)
	lines.Buffer(nil, 2*maxRequest)
	for lines.Scan() {
		heard = true
		watch.Reset(silence)
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			if err := p.take(bytes.Clone(line)); err != nil {
				return heard, err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return heard, err
	}
	return heard, io.EOF
}

// take answers each message once, however often it comes.
func (p *puller) take(line []byte) error {
	var message envelope
	if err := json.Unmarshal(line, &message); err != nil {
		return err
	}
	p.after = max(p.after, message.Cursor)
	if p.taken[message.RequestID] {
		return nil
	}
	p.taken[message.RequestID] = true
	p.ids = append(p.ids, message.RequestID)
	if len(p.ids) > keptAnswers {
		delete(p.taken, p.ids[0])
		p.ids = p.ids[1:]
	}
	p.open.Add(1)
	go func() {
		defer p.open.Done()
		p.answer(message, line)
	}()
	return nil
}

// answer asks the bot and sends its reply where the message says.
func (p *puller) answer(message envelope, line []byte) {
	reply, err := p.bot.handle(line)
	if err != nil {
		log.Print(err)
		return
	}
	if message.Type == "game_end" {
		return
	}
	said := answer{"request_id": message.RequestID, "reply": reply}
	if strings.HasSuffix(message.ReplyTo, "/moves") {
		said = answer{"move_number": message.MoveNumber, "action": reply["action"]}
	}
	body, _ := json.Marshal(said)
	for attempt := 0; attempt < 4; attempt++ {
		err := p.post(message.ReplyTo, body)
		if err == nil {
			return
		}
		log.Printf("answer not sent: %v", err)
		time.Sleep(time.Duration(attempt) * firstPause)
	}
}

// post sends an answer; an error is worth another try: the service takes the first one.
func (p *puller) post(path string, body []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), silence)
	defer cancel()
	answered, err := p.send(ctx, http.MethodPost, path, body)
	if err != nil {
		return err
	}
	defer answered.Body.Close()
	text, err := io.ReadAll(answered.Body)
	switch {
	case err != nil:
		return err
	case answered.StatusCode >= 500:
		return fmt.Errorf("status %d", answered.StatusCode)
	case answered.StatusCode >= 400:
		log.Printf("answer refused: %s", text)
	}
	return nil
}

func (p *puller) send(
	ctx context.Context, method, path string, body []byte,
) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, p.service+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+p.token)
	request.Header.Set("Content-Type", "application/json")
	return p.client.Do(request)
}
