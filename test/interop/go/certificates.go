package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	health "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

func showsCertificate(ctx context.Context, told *instructions) (string, error) {
	authority, err := os.ReadFile(told.TLS.Authority)
	if err != nil {
		return "", err
	}
	own, err := tls.LoadX509KeyPair(told.TLS.Certificate, told.TLS.Key)
	if err != nil {
		return "", err
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(authority)
	if err := checkOver(ctx, told.TLS.Address, &tls.Config{RootCAs: trusted}); status.Code(err) != codes.Unavailable {
		return "", errors.Join(errors.New("without a certificate the call was not refused"), err)
	}
	config := &tls.Config{RootCAs: trusted, Certificates: []tls.Certificate{own}}
	return "SERVING; without one UNAVAILABLE", checkOver(ctx, told.TLS.Address, config)
}

func checkOver(ctx context.Context, address string, config *tls.Config) error {
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(credentials.NewTLS(config)))
	if err != nil {
		return err
	}
	defer connection.Close()
	_, err = health.NewHealthClient(connection).Check(ctx, &health.HealthCheckRequest{})
	return err
}
