// A bot that lays one card of its lowest rank that fits, and never chances or doubts.
package main

func main() {
	Run(Bot{Version: "1.0", Choose: func(turn Turn) string {
		if plays := turn.Plays(); len(plays) > 0 {
			return plays[0]
		}
		return turn.Otherwise()
	}})
}
