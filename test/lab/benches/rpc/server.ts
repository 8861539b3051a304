import { rmSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import type net from 'node:net';
import type { AddressInfo } from 'node:net';
import { type DescMethodUnary, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { acceptTokens } from '@ces/chassis/rpc/caller-tokens';
import { startRpcServer } from '@ces/chassis/rpc/server';
import type { AcceptedServiceAccounts } from '@ces/chassis/rpc/service-accounts/accepted-accounts';
import { listen } from '@ces/chassis/service/admin-server';
import { createLogger } from '@ces/chassis/telemetry/log';
import type { ConnectRouter } from '@connectrpc/connect';
import { fastifyConnectPlugin } from '@connectrpc/connect-fastify';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import Fastify from 'fastify';
import { acceptAccount } from './identity.ts';
import { CALLER_TOKEN, HYDRATE, RESERVE } from './messages.ts';

/** Where a server is, and the token of a ServiceAccount that it takes, where it does. */
export interface Started {
  readonly url: string;
  readonly token?: string;
}

/** A process that answers the two calls in one of these ways until it is ended; sends its address first. */
const SERVERS = {
  ours: () => ours(),
  'service-accounts': serviceAccounts,
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

if (process.send) process.send(await started(process.argv[2] as ServerKind));

async function started(kind: ServerKind): Promise<Started> {
  const server = await SERVERS[kind]();
  return typeof server === 'string' ? { url: server } : server;
}

function routes(router: ConnectRouter): void {
  for (const { method, answer } of SAMPLES) router.rpc(method, () => answer);
}

/** As our services serve: callers checked, calls observed. */
async function ours(serviceAccounts?: AcceptedServiceAccounts): Promise<string> {
  const callers = Object.fromEntries(SAMPLES.map(({ method }) => [method.parent.typeName, { '*': ['operations'] }]));
  const callerTokens = acceptTokens(serviceAccounts ? {} : { operations: CALLER_TOKEN });
  const logger = createLogger('bench', 'error');
  const known = { callerTokens, serviceAccounts, callers };
  const server = await startRpcServer({ host: '127.0.0.1', port: 0, routes, ...known, logger });
  return server.url;
}

/** The same for a caller that shows the token of its ServiceAccount. */
async function serviceAccounts(): Promise<Started> {
  const { accepted, tokens, folder } = await acceptAccount('RS256', 1);
  process.once('exit', () => rmSync(folder, { recursive: true }));
  process.once('SIGTERM', () => process.exit());
  return { url: await ours(accepted), token: tokens[0] ?? '' };
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
