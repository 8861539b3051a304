// Answers on ports, TCP and UDP, and tries those of others when it is asked to: what a pod can reach is seen from inside it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	patience  = time.Second
	firstPort = 10_000
	ports     = 20_000
)

// Ports that calls over UDP have come from: each its own, since what comes from the port of an earlier call belongs to that one for
// those who track connections, and is let through when the rules have changed meanwhile.
var used atomic.Int64

type target struct {
	Protocol string `json:"protocol"` // tcp or udp
	Address  string `json:"address"`  // host:port
}

type outcome struct {
	target
	Open   bool   `json:"open"`
	Reason string `json:"reason,omitempty"`
	Millis int64  `json:"millis"`
}

// probe PORTS: answers with the host's name on each port, and on 8079 takes targets to try.
func main() {
	name, _ := os.Hostname()
	for _, port := range strings.Split(os.Args[1], ",") {
		listen(name, port)
	}
	http.HandleFunc("/try", try)
	log.Fatal(http.ListenAndServe(":8079", nil))
}

func listen(name, port string) {
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				log.Fatal(err)
			}
			fmt.Fprint(connection, name)
			connection.Close()
		}
	}()
	packets, err := net.ListenPacket("udp", ":"+port)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		buffer := make([]byte, 64)
		for {
			_, from, err := packets.ReadFrom(buffer)
			if err != nil {
				log.Fatal(err)
			}
			packets.WriteTo([]byte(name), from)
		}
	}()
}

func try(response http.ResponseWriter, request *http.Request) {
	var targets []target
	if err := json.NewDecoder(request.Body).Decode(&targets); err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	outcomes := make([]outcome, len(targets))
	var all sync.WaitGroup
	for place, each := range targets {
		all.Add(1)
		go func() {
			defer all.Done()
			begun := time.Now()
			reason := attempt(each)
			outcomes[place] = outcome{each, reason == "", reason, time.Since(begun).Milliseconds()}
		}()
	}
	all.Wait()
	json.NewEncoder(response).Encode(outcomes)
}

// Why the target cannot be reached; empty where it took a connection, or over UDP answered.
func attempt(each target) string {
	dialer := net.Dialer{Timeout: patience}
	if each.Protocol == "udp" {
		dialer.LocalAddr = &net.UDPAddr{Port: firstPort + int(used.Add(1))%ports}
	}
	connection, err := dialer.Dial(each.Protocol, each.Address)
	if err != nil {
		return err.Error()
	}
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(patience))
	if each.Protocol == "tcp" {
		return ""
	}
	if _, err := connection.Write([]byte("who")); err != nil {
		return err.Error()
	}
	if _, err := connection.Read(make([]byte, 64)); err != nil {
		return err.Error()
	}
	return ""
}
