"""What servers say of themselves to whoever asks."""

import grpc
import reflection_pb2
import reflection_pb2_grpc
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

DESCRIBED = "ces.operations.v1.OperationsService"
WITHIN = 10


def watches_health(told) -> str:
    with grpc.insecure_channel(told["operations"]) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        checked = stub.Check(health_pb2.HealthCheckRequest(), timeout=WITHIN)
        stream = stub.Watch(health_pb2.HealthCheckRequest(), timeout=WITHIN)
        watched = next(stream)
        stream.cancel()
    serving = health_pb2.HealthCheckResponse.SERVING
    assert (checked.status, watched.status) == (serving, serving), (checked, watched)
    return "SERVING"


def reflects(told) -> str:
    asked = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol=DESCRIBED),
    ]
    with grpc.insecure_channel(told["operations"]) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        listed, described = stub.ServerReflectionInfo(iter(asked), timeout=WITHIN)
    names = [service.name for service in listed.list_services_response.service]
    assert DESCRIBED in names, names
    for text in described.file_descriptor_response.file_descriptor_proto:
        file = descriptor_pb2.FileDescriptorProto.FromString(text)
        for service in file.service:
            if f"{file.package}.{service.name}" == DESCRIBED:
                return f"{len(names)} services, {len(service.method)} methods"
    raise AssertionError(described)
