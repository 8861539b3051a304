import { create, type DescFile, type DescService, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from '@ces/proto/grpc/reflection/v1/reflection_pb.ts';
import { Code, type ConnectRouter } from '@connectrpc/connect';

type Answer = ServerReflectionResponse['messageResponse'];

export function registerReflection(router: ConnectRouter): void {
  const services = [...new Set(router.handlers.map((handler) => handler.service))];
  const files = collectFiles(services);
  router.service(ServerReflection, {
    async *serverReflectionInfo(requests) {
      for await (const request of requests)
        yield create(ServerReflectionResponseSchema, {
          originalRequest: request,
          messageResponse: answer(request, services, files),
        });
    },
  });
}

function answer(
  request: ServerReflectionRequest,
  services: readonly DescService[],
  files: ReadonlyMap<string, DescFile>,
): Answer {
  const { case: asked, value = '' } = request.messageRequest;
  if (asked === 'listServices')
    return create(ServerReflectionResponseSchema, {
      messageResponse: {
        case: 'listServicesResponse',
        value: { service: services.map((service) => ({ name: service.typeName })) },
      },
    }).messageResponse;
  const file = asked === 'fileByFilename' ? files.get(value) : fileDeclaring(value, files);
  return create(ServerReflectionResponseSchema, {
    messageResponse: file
      ? { case: 'fileDescriptorResponse', value: { fileDescriptorProto: withImports(file) } }
      : { case: 'errorResponse', value: { errorCode: Code.NotFound, errorMessage: `not found: ${value}` } },
  }).messageResponse;
}

function collectFiles(services: readonly DescService[]): Map<string, DescFile> {
  const files = new Map<string, DescFile>();
  const add = (file: DescFile) => {
    files.set(file.proto.name, file);
    file.dependencies.forEach(add);
  };
  for (const service of services) add(service.file);
  return files;
}

function fileDeclaring(symbol: string, files: ReadonlyMap<string, DescFile>): DescFile | undefined {
  for (const file of files.values()) {
    const declared = [...file.services, ...file.messages, ...file.enums].map((declaration) => declaration.typeName);
    if (declared.some((name) => symbol === name || symbol.startsWith(`${name}.`))) return file;
  }
  return undefined;
}

function withImports(file: DescFile): Uint8Array[] {
  const files = new Map<string, DescFile>();
  const add = (next: DescFile) => {
    if (files.has(next.proto.name)) return;
    files.set(next.proto.name, next);
    next.dependencies.forEach(add);
  };
  add(file);
  return [...files.values()].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
}
