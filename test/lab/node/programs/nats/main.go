// nats-server, of a release that Debian has not yet.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/nats-io/nats-server/v2/server"
)

func main() {
	flags := flag.NewFlagSet("nats-server", flag.ExitOnError)
	options, err := server.ConfigureOptions(flags, os.Args[1:], server.PrintServerAndExit, flags.Usage, server.PrintTLSHelpAndDie)
	if err != nil {
		fail(err)
	}
	broker, err := server.NewServer(options)
	if err != nil {
		fail(err)
	}
	broker.ConfigureLogger()
	if err := server.Run(broker); err != nil {
		fail(err)
	}
	broker.WaitForShutdown()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "nats-server:", err)
	os.Exit(1)
}
