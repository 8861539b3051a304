package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	failurev1 "ces.example/interop/gen/ces/failure/v1"
	ledgerv1 "ces.example/interop/gen/ces/ledger/v1"
	operationsv1 "ces.example/interop/gen/ces/operations/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

const (
	answeredWithin = 2 * time.Second
	tooShort       = time.Millisecond
)

func submits(ctx context.Context, told *instructions) (string, error) {
	first, err := submit(ctx, told, told.APIKey, "go-1")
	if err != nil {
		return "", err
	}
	again, err := submit(ctx, told, told.APIKey, "go-1")
	if err != nil {
		return "", err
	}
	units := first.Usage.Units.RequestUnits
	if first.Replayed || units != 1 || !again.Replayed || again.Usage.Id != first.Usage.Id {
		return "", fmt.Errorf("first %v, again %v", first, again)
	}
	return fmt.Sprintf("operation %d, %d request unit, then replayed", first.Usage.Id, units), nil
}

func meetsLimit(ctx context.Context, told *instructions) (string, error) {
	if _, err := submit(ctx, told, told.LimitedKey, "go-first"); err != nil {
		return "", err
	}
	_, err := submit(ctx, told, told.LimitedKey, "go-second")
	failure, err := failureOf(err, codes.ResourceExhausted, failurev1.FailureCode_FAILURE_CODE_REQUEST_LIMIT_REACHED)
	if err != nil {
		return "", err
	}
	if failure.RetryAt == nil || !failure.RetryAt.AsTime().After(time.Now()) {
		return "", fmt.Errorf("retry_at %v", failure.RetryAt)
	}
	return fmt.Sprintf("in %d s", failure.GetRetryAfterSeconds()), nil
}

func isUnknown(ctx context.Context, told *instructions) (string, error) {
	_, err := submit(ctx, told, "ces_live_nobody", "go-nobody")
	_, err = failureOf(err, codes.Unauthenticated, failurev1.FailureCode_FAILURE_CODE_INVALID_API_KEY)
	return "FAILURE_CODE_INVALID_API_KEY", err
}

func isStranger(ctx context.Context, told *instructions) (string, error) {
	connection, err := dial(told.Ledger)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	_, err = ledgerv1.NewLedgerAdminServiceClient(connection).ListPlans(ctx, &ledgerv1.ListPlansRequest{})
	_, err = failureOf(err, codes.PermissionDenied, failurev1.FailureCode_FAILURE_CODE_CALLER_NOT_ALLOWED)
	return "FAILURE_CODE_CALLER_NOT_ALLOWED", err
}

func keepsDeadline(ctx context.Context, told *instructions) (string, error) {
	connection, err := dial(told.Operations)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	search := func(key string, within time.Duration) (*operationsv1.SubmitCompanySearchResponse, error) {
		limited, cancel := context.WithTimeout(ctx, within)
		defer cancel()
		return operationsv1.NewOperationsServiceClient(connection).SubmitCompanySearch(limited,
			&operationsv1.SubmitCompanySearchRequest{
				Caller:     bearer(told.TestKey),
				RequestKey: key,
				Input:      &operationsv1.CompanySearchInput{Query: "sandbox:slow"},
			})
	}
	begun := time.Now()
	slow, err := search("go-slow", answeredWithin)
	if err != nil {
		return "", err
	}
	took := time.Since(begun).Round(time.Millisecond)
	if open := slow.Answer.Usage.Status; open != operationsv1.Status_STATUS_PENDING && open != operationsv1.Status_STATUS_PROCESSING {
		return "", fmt.Errorf("a slow search is %v", open)
	}
	if _, err := search("go-short", tooShort); status.Code(err) != codes.DeadlineExceeded {
		return "", fmt.Errorf("%s: %v", tooShort, err)
	}
	return fmt.Sprintf("%s: open after %s; %s: DEADLINE_EXCEEDED", answeredWithin, took, tooShort), nil
}

// submit sends the request that the page shows, under a key of its own.
func submit(ctx context.Context, told *instructions, apiKey, key string) (*operationsv1.OperationAnswer, error) {
	connection, err := dial(told.Operations)
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	var request operationsv1.SubmitCompanyLookupRequest
	if err := protojson.Unmarshal(told.Request, &request); err != nil {
		return nil, err
	}
	request.Caller, request.RequestKey = bearer(apiKey), key
	response, err := operationsv1.NewOperationsServiceClient(connection).SubmitCompanyLookup(ctx, &request)
	return response.GetAnswer(), err
}

func bearer(apiKey string) *operationsv1.Caller {
	return &operationsv1.Caller{Identity: &operationsv1.Caller_Bearer{Bearer: apiKey}}
}

// failureOf is the Failure among the details of an error, which must have these codes.
func failureOf(err error, code codes.Code, failureCode failurev1.FailureCode) (*failurev1.Failure, error) {
	if status.Code(err) != code {
		return nil, fmt.Errorf("not %v: %v", code, err)
	}
	for _, detail := range status.Convert(err).Details() {
		if failure, is := detail.(*failurev1.Failure); is && failure.Code == failureCode {
			return proto.CloneOf(failure), nil
		}
	}
	return nil, errors.Join(fmt.Errorf("no detail is %v", failureCode), err)
}
