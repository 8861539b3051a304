"""Calls the services as deploy/docs/grpc.md says, by grpcio and code generated from proto/ces alone.

Reads its instructions as one line of JSON, prints a line of JSON a check, and waits for a line where it is told to.
"""

import json
import sys

import calls
import channels
import probes

CHECKS = {
    "submits and is metered, a replay is free": calls.submits,
    "a limit carries its Failure and retry_at": calls.meets_limit,
    "an unknown API key is UNAUTHENTICATED": calls.is_unknown,
    "a stranger may not administer": calls.is_stranger,
    "a deadline reaches the server": calls.keeps_deadline,
    "health is checked and watched": probes.watches_health,
    "reflection names and describes": probes.reflects,
    "round robin over two addresses": channels.balances,
    "a connection without calls outlives its pings": channels.stays_idle,
    "a message too large, and a server that ends": channels.outlives_server,
    "TLS with a client certificate, and not without": channels.shows_certificate,
}


def main() -> None:
    told = json.loads(sys.stdin.readline())
    for name, check in CHECKS.items():
        try:
            verdict = {"check": name, "ok": True, "seen": check(told)}
        except Exception as error:  # Whatever it is, the next check is made.
            verdict = {"check": name, "ok": False, "seen": f"{type(error).__name__}: {error}"}
        print(json.dumps(verdict), flush=True)


main()
