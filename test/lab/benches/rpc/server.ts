import http from 'node:http';
import http2 from 'node:http2';
import type net from 'node:net';
import type { AddressInfo } from 'node:net';
import { type DescMethodUnary, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { acceptTokens } from '@ces/chassis/rpc/caller-tokens';
import { startRpcServer } from '@ces/chassis/rpc/server';
import { listen } from '@ces/chassis/service/admin-server';
import { createLogger } from '@ces/chassis/telemetry/log';
import type { ConnectRouter } from '@connectrpc/connect';
import { fastifyConnectPlugin } from '@connectrpc/connect-fastify';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import Fastify from 'fastify';
import { CALLER_TOKEN, HYDRATE, RESERVE } from './messages.ts';

/** A process that answers the two calls in one of these ways until it is ended; sends its address first. */
const SERVERS = {
  ours,
  adapter,
  'adapter-http2': adapterOverHttp2,
  'connect-fastify': connectFastify,
  'grpc-js': grpcJs,
};
export type ServerKind = keyof typeof SERVERS;

const SAMPLES: readonly { method: DescMethodUnary; answer: MessageShape<DescMethodUnary['output']> }[] = [
  RESERVE,
  HYDRATE,
];

if (process.send) process.send({ url: await SERVERS[process.argv[2] as ServerKind]() });

function routes(router: ConnectRouter): void {
  for (const { method, answer } of SAMPLES) router.rpc(method, () => answer);
}

/** As our services serve: callers checked, calls observed. */
async function ours(): Promise<string> {
  const callers = Object.fromEntries(SAMPLES.map(({ method }) => [method.parent.typeName, { '*': ['operations'] }]));
  const callerTokens = acceptTokens({ operations: CALLER_TOKEN });
  const logger = createLogger('bench', 'error');
  const server = await startRpcServer({ host: '127.0.0.1', port: 0, routes, callers, callerTokens, logger });
  return server.url;
}

/** The general adapter of Connect, with nothing of ours. */
async function adapter(): Promise<string> {
  return await listening(http.createServer(connectNodeAdapter({ routes })));
}

async function adapterOverHttp2(): Promise<string> {
  return await listening(http2.createServer(connectNodeAdapter({ routes })));
}

async function connectFastify(): Promise<string> {
  const app = Fastify({ http2: true });
  await app.register(fastifyConnectPlugin, { routes });
  await app.ready();
  return await listening(app.server);
}

async function grpcJs(): Promise<string> {
  const server = new Server();
  for (const { method, answer } of SAMPLES)
    server.addService(
      {
        [method.name]: {
          path: `/${method.parent.typeName}/${method.name}`,
          requestStream: false,
          responseStream: false,
          requestSerialize: (message: typeof answer) => Buffer.from(toBinary(method.input, message)),
          requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
          responseSerialize: (message: typeof answer) => Buffer.from(toBinary(method.output, message)),
          responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
        },
      },
      { [method.name]: (_call: unknown, respond: (error: null, value: unknown) => void) => respond(null, answer) },
    );
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const bound = (error: Error | null, port: number) => (error ? reject(error) : resolve(port));
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), bound);
  return `http://127.0.0.1:${await promise}`;
}

async function listening(server: net.Server): Promise<string> {
  await listen(server, '127.0.0.1', 0);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
