package main

import (
	"context"
	"fmt"

	health "google.golang.org/grpc/health/grpc_health_v1"
	reflection "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

const described = "ces.operations.v1.OperationsService"

func watchesHealth(ctx context.Context, told *instructions) (string, error) {
	connection, err := dial(told.Operations)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	client := health.NewHealthClient(connection)
	checked, err := client.Check(ctx, &health.HealthCheckRequest{})
	if err != nil {
		return "", err
	}
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := client.Watch(watching, &health.HealthCheckRequest{})
	if err != nil {
		return "", err
	}
	watched, err := stream.Recv()
	if err != nil {
		return "", err
	}
	serving := health.HealthCheckResponse_SERVING
	if checked.Status != serving || watched.Status != serving {
		return "", fmt.Errorf("checked %v, watched %v", checked.Status, watched.Status)
	}
	return serving.String(), nil
}

func reflects(ctx context.Context, told *instructions) (string, error) {
	connection, err := dial(told.Operations)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	stream, err := reflection.NewServerReflectionClient(connection).ServerReflectionInfo(ctx)
	if err != nil {
		return "", err
	}
	listed, err := ask(stream, &reflection.ServerReflectionRequest{
		MessageRequest: &reflection.ServerReflectionRequest_ListServices{},
	})
	if err != nil {
		return "", err
	}
	names := listed.GetListServicesResponse().GetService()
	answer, err := ask(stream, &reflection.ServerReflectionRequest{
		MessageRequest: &reflection.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: described},
	})
	if err != nil {
		return "", err
	}
	for _, bytes := range answer.GetFileDescriptorResponse().GetFileDescriptorProto() {
		var file descriptorpb.FileDescriptorProto
		if err := proto.Unmarshal(bytes, &file); err != nil {
			return "", err
		}
		for _, service := range file.Service {
			if file.GetPackage()+"."+service.GetName() == described {
				return fmt.Sprintf("%d services, %d methods", len(names), len(service.Method)), stream.CloseSend()
			}
		}
	}
	return "", fmt.Errorf("%s is not described: %v", described, answer.GetErrorResponse())
}

func ask(
	stream reflection.ServerReflection_ServerReflectionInfoClient, request *reflection.ServerReflectionRequest,
) (*reflection.ServerReflectionResponse, error) {
	if err := stream.Send(request); err != nil {
		return nil, err
	}
	return stream.Recv()
}
