import type { DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { AnySchema, anyUnpack } from '@bufbuild/protobuf/wkt';
import { type Failure, FailureSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';

export interface GrpcCallOptions {
  /** Token of a calling service. */
  readonly callerToken?: string;
  /** Milliseconds from now; default 10 s. */
  readonly deadlineMs?: number;
}

/** Calls one method by @grpc/grpc-js, which shares no code with our servers; rejects with its ServiceError. */
export async function grpcCall<I extends MessageInitShape<M['input']>, M extends DescMethodUnary>(
  url: string,
  method: M,
  request: I,
  options: GrpcCallOptions = {},
): Promise<MessageShape<M['output']>> {
  const client = new Client(new URL(url).host, credentials.createInsecure());
  const metadata = new Metadata();
  if (options.callerToken) metadata.set('x-ces-caller-token', options.callerToken);
  try {
    return await new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        `/${method.parent.typeName}/${method.name}`,
        (message: MessageShape<M['input']>) => Buffer.from(toBinary(method.input, message)),
        (bytes: Buffer) => fromBinary(method.output, bytes) as MessageShape<M['output']>,
        create(method.input, request) as MessageShape<M['input']>,
        metadata,
        { deadline: Date.now() + (options.deadlineMs ?? 10_000) },
        (error, answer) => (error || !answer ? reject(error) : resolve(answer)),
      );
    });
  } finally {
    client.close();
  }
}

/** The Failure among the details of a gRPC status, as any client in any language finds it. */
export function failureIn(error: ServiceError): Failure | undefined {
  const [status] = error.metadata.get('grpc-status-details-bin');
  if (!Buffer.isBuffer(status)) return undefined;
  const reader = new BinaryReader(status);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field !== DETAILS) reader.skip(type);
    else {
      const failure = anyUnpack(fromBinary(AnySchema, reader.bytes()), FailureSchema);
      if (failure) return failure;
    }
  }
  return undefined;
}

/** Field of google.rpc.Status. */
const DETAILS = 3;
