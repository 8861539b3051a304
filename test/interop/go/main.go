// Command client calls the services as deploy/docs/grpc.md says, by grpc-go and code generated from proto/ces alone.
// It reads its instructions as one line of JSON, prints a line of JSON a check, and waits for a line where it is told to.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// instructions say where servers are and who calls; addresses are host:port.
type instructions struct {
	Operations string          `json:"operations"`
	Ledger     string          `json:"ledger"`
	Replicas   []string        `json:"replicas"`
	Idle       string          `json:"idle"`
	Ending     string          `json:"ending"`
	APIKey     string          `json:"apiKey"`
	LimitedKey string          `json:"limitedKey"`
	TestKey    string          `json:"testKey"`
	Request    json.RawMessage `json:"request"`
	TLS        certified       `json:"tls"`
}

// certified is a server that wants a certificate of the authority, and the files that show one.
type certified struct {
	Address     string `json:"address"`
	Authority   string `json:"authority"`
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
}

// verdict is one line of the output.
type verdict struct {
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	Seen  string `json:"seen"`
}

type check struct {
	name string
	run  func(context.Context, *instructions) (string, error)
}

var checks = []check{
	{"submits and is metered, a replay is free", submits},
	{"a limit carries its Failure and retry_at", meetsLimit},
	{"an unknown API key is UNAUTHENTICATED", isUnknown},
	{"a stranger may not administer", isStranger},
	{"a deadline reaches the server", keepsDeadline},
	{"health is checked and watched", watchesHealth},
	{"reflection names and describes", reflects},
	{"round robin over two addresses", balances},
	{"a connection without calls outlives its pings", staysIdle},
	{"a message too large, and a server that ends", outlivesServer},
	{"TLS with a client certificate, and not without", showsCertificate},
}

const checkWithin = 2 * time.Minute

var input = bufio.NewScanner(os.Stdin)

func main() {
	input.Buffer(nil, 1<<20)
	input.Scan()
	var told instructions
	if err := json.Unmarshal(input.Bytes(), &told); err != nil {
		fmt.Fprintln(os.Stderr, "the first line says no instructions:", err)
		os.Exit(2)
	}
	for _, one := range checks {
		ctx, cancel := context.WithTimeout(context.Background(), checkWithin)
		seen, err := one.run(ctx, &told)
		cancel()
		if err != nil {
			seen = err.Error()
		}
		say(verdict{one.name, err == nil, seen})
	}
}

func say(line any) {
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}

// wait asks whoever runs this for something and returns when it is done.
func wait(what string) {
	say(map[string]string{"wait": what})
	input.Scan()
}
