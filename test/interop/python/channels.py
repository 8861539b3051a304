"""Channels: how calls spread over servers, stay connected, and survive them."""

import json
import sys
import time
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

BALANCED_CALLS = 400
# More than a server takes.
TOO_MANY_BYTES = 33 << 20
PING_EVERY = 5
IDLE_FOR = 13


def balances(told) -> str:
    spread = ("grpc.service_config", json.dumps({"loadBalancingConfig": [{"round_robin": {}}]}))
    with grpc.insecure_channel("ipv4:" + ",".join(told["replicas"]), options=[spread]) as channel:
        for _ in range(BALANCED_CALLS):
            check(channel)
    return f"{BALANCED_CALLS} calls"


def stays_idle(told) -> str:
    options = [
        ("grpc.keepalive_time_ms", PING_EVERY * 1000),
        ("grpc.keepalive_timeout_ms", 5000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
    ]
    with grpc.insecure_channel(told["idle"], options=options) as channel:
        check(channel)
        time.sleep(IDLE_FOR)
        check(channel)
    return f"a ping every {PING_EVERY}s for {IDLE_FOR}s"


def outlives_server(told) -> str:
    with grpc.insecure_channel(told["ending"]) as channel:
        try:
            check(channel, service="x" * TOO_MANY_BYTES)
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED, error
        else:
            raise AssertionError("33 MiB were taken")
        check(channel)
        print(json.dumps({"wait": "end"}), flush=True)
        sys.stdin.readline()
        check(channel, wait_for_ready=True)
    return "RESOURCE_EXHAUSTED; the same channel reaches the next process"


def shows_certificate(told) -> str:
    files = told["tls"]
    authority, key, certificate = (Path(files[name]).read_bytes() for name in ("authority", "key", "certificate"))
    with grpc.secure_channel(files["address"], grpc.ssl_channel_credentials(authority)) as channel:
        try:
            check(channel)
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.UNAVAILABLE, error
        else:
            raise AssertionError("without a certificate the call was not refused")
    with grpc.secure_channel(files["address"], grpc.ssl_channel_credentials(authority, key, certificate)) as channel:
        check(channel)
    return "SERVING; without one UNAVAILABLE"


def check(channel, service="", wait_for_ready=False) -> None:
    request = health_pb2.HealthCheckRequest(service=service)
    health_pb2_grpc.HealthStub(channel).Check(request, timeout=60, wait_for_ready=wait_for_ready)
