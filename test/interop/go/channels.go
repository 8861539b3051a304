package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	health "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
	"google.golang.org/grpc/status"
)

const (
	balancedCalls = 400
	// More than a server takes.
	tooManyBytes = 33 << 20
	// The least that grpc-go allows.
	pingEvery = 10 * time.Second
	idleFor   = 25 * time.Second
)

func dial(address string, options ...grpc.DialOption) (*grpc.ClientConn, error) {
	plain := grpc.WithTransportCredentials(insecure.NewCredentials())
	return grpc.NewClient(address, append(options, plain)...)
}

func balances(ctx context.Context, told *instructions) (string, error) {
	addresses := make([]resolver.Address, len(told.Replicas))
	for at, address := range told.Replicas {
		addresses[at] = resolver.Address{Addr: address}
	}
	builder := manual.NewBuilderWithScheme("static")
	builder.InitialState(resolver.State{Addresses: addresses})
	connection, err := dial("static:///operations", grpc.WithResolvers(builder),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig": [{"round_robin": {}}]}`))
	if err != nil {
		return "", err
	}
	defer connection.Close()
	for range balancedCalls {
		if _, err := health.NewHealthClient(connection).Check(ctx, &health.HealthCheckRequest{}); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d calls", balancedCalls), nil
}

func staysIdle(ctx context.Context, told *instructions) (string, error) {
	pings := keepalive.ClientParameters{Time: pingEvery, Timeout: 5 * time.Second, PermitWithoutStream: true}
	connection, err := dial(told.Idle, grpc.WithKeepaliveParams(pings), grpc.WithIdleTimeout(0))
	if err != nil {
		return "", err
	}
	defer connection.Close()
	client := health.NewHealthClient(connection)
	if _, err := client.Check(ctx, &health.HealthCheckRequest{}); err != nil {
		return "", err
	}
	time.Sleep(idleFor)
	_, err = client.Check(ctx, &health.HealthCheckRequest{})
	return fmt.Sprintf("a ping every %s for %s", pingEvery, idleFor), err
}

func outlivesServer(ctx context.Context, told *instructions) (string, error) {
	connection, err := dial(told.Ending)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	client := health.NewHealthClient(connection)
	_, err = client.Check(ctx, &health.HealthCheckRequest{Service: strings.Repeat("x", tooManyBytes)})
	if status.Code(err) != codes.ResourceExhausted {
		return "", fmt.Errorf("33 MiB: %v", err)
	}
	if _, err := client.Check(ctx, &health.HealthCheckRequest{}); err != nil {
		return "", fmt.Errorf("the call after it: %v", err)
	}
	wait("end")
	if _, err := client.Check(ctx, &health.HealthCheckRequest{}, grpc.WaitForReady(true)); err != nil {
		return "", fmt.Errorf("a new process in its place: %v", err)
	}
	return "RESOURCE_EXHAUSTED; the same channel reaches the next process", nil
}
