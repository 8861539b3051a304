import { type DescMethodUnary, type DescService, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { CALLER_TOKEN_HEADER } from '@ces/chassis/rpc/caller';
import { createRpcClient, type RpcClientOptions } from '@ces/chassis/rpc/client';
import type { ShownTokens } from '@ces/chassis/rpc/own-tokens';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Interceptor, Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { CALLER_TOKEN } from './messages.ts';
import type { ServerKind, Started } from './server.ts';

/** Makes one call; rejects when it is refused. */
export type Call = <M extends DescMethodUnary>(method: M, request: MessageShape<M['input']>) => Promise<unknown>;

/** A way to call, and the server it is measured against. */
export interface Way {
  readonly server: ServerKind;
  readonly connect: (server: Started) => Call;
}

type Caller = (request: unknown) => Promise<unknown>;

const TIMEOUT_MS = 10_000;

/** What our services do, and the ways they could: the general transports of Connect, and gRPC by two libraries. */
export const WAYS: Readonly<Record<string, Way>> = {
  ours: { server: 'ours', connect: ({ url }) => ours(url, CALLER_TOKEN) },
  'ours, ServiceAccount': { server: 'service-accounts', connect: ({ url, token }) => ours(url, showing(token)) },
  'Connect, HTTP/1.1': { server: 'adapter', connect: ({ url }) => over(connectTransport(url, '1.1')) },
  'Connect, HTTP/2': { server: 'adapter-http2', connect: ({ url }) => over(connectTransport(url, '2')) },
  'gRPC by Connect, connect-fastify': { server: 'connect-fastify', connect: ({ url }) => over(grpcTransport(url)) },
  'grpc-js, connect-fastify': { server: 'connect-fastify', connect: ({ url }) => grpcJs(url) },
  'grpc-js, grpc-js': { server: 'grpc-js', connect: ({ url }) => grpcJs(url) },
};

const identify: Interceptor = (next) => (request) => {
  request.header.set(CALLER_TOKEN_HEADER, CALLER_TOKEN);
  return next(request);
};

function showing(serviceAccountToken: string | undefined): () => ShownTokens {
  return () => ({ callerToken: undefined, serviceAccountToken });
}

function ours(url: string, callerToken: RpcClientOptions['callerToken']): Call {
  const clients = new Map(
    [LedgerService, LookupService].map((service) => {
      const client = createRpcClient<DescService>(service, { url, callerToken, timeoutMs: TIMEOUT_MS });
      return [service.typeName, client as Readonly<Record<string, Caller>>];
    }),
  );
  return async (method, request) => await clients.get(method.parent.typeName)?.[method.localName]?.(request);
}

function connectTransport(baseUrl: string, httpVersion: '1.1' | '2'): Transport {
  return createConnectTransport({
    baseUrl,
    httpVersion,
    useBinaryFormat: true,
    interceptors: [identify],
    defaultTimeoutMs: TIMEOUT_MS,
  });
}

function grpcTransport(baseUrl: string): Transport {
  return createGrpcTransport({ baseUrl, interceptors: [identify], defaultTimeoutMs: TIMEOUT_MS });
}

function over(transport: Transport): Call {
  return (method, request) => transport.unary(method, undefined, undefined, undefined, request);
}

function grpcJs(url: string): Call {
  const client = new Client(new URL(url).host, credentials.createInsecure());
  return (method, request) => {
    const metadata = new Metadata();
    metadata.set(CALLER_TOKEN_HEADER, CALLER_TOKEN);
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        `/${method.parent.typeName}/${method.name}`,
        (message: typeof request) => Buffer.from(toBinary(method.input, message)),
        (bytes: Buffer) => fromBinary(method.output, bytes),
        request,
        metadata,
        { deadline: Date.now() + TIMEOUT_MS },
        (error, answer) => (error ? reject(error) : resolve(answer)),
      );
    });
  };
}
