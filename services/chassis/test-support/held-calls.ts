import { readFileSync } from 'node:fs';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { type Client, createClient, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { ANYONE } from '../src/rpc/caller.ts';
import { createRpcClient } from '../src/rpc/client.ts';
import { type RpcServer, type RpcServerOptions, startRpcServer } from '../src/rpc/server.ts';
import type { RpcTls } from '../src/rpc/tls.ts';
import { createLogger } from '../src/telemetry/log.ts';
import { acceptTokens } from './accept-tokens.ts';

const LONGEST_MS = 118_000;

/** Calls end when `hold` resolves; it receives the number that the caller sent. */
export function startHoldingServer(
  hold: (sent: bigint) => Promise<unknown>,
  options: Partial<RpcServerOptions> = {},
): Promise<RpcServer> {
  return startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) =>
      router.service(LedgerService, {
        getAllowance: async ({ subscriptionId }) => {
          await hold(subscriptionId);
          return { allowance: { windowRemaining: subscriptionId } };
        },
        async *post({ postings }) {
          const [first] = postings;
          yield { answers: [{ index: 0 }] };
          if (first?.posting.case === 'settle') await hold(first.posting.value.operationId);
          yield { answers: [{ index: 1 }] };
        },
      }),
    callers: { [LedgerService.typeName]: { '*': [ANYONE] } },
    callerTokens: acceptTokens({}),
    logger: createLogger('test', 'silent'),
    ...options,
  });
}

type LedgerClient = Client<typeof LedgerService>;

/** One client per HTTP/2 protocol; our own first, then other libraries. */
export function http2Clients(baseUrl: string, tls?: RpcTls): Readonly<Record<string, LedgerClient>> {
  const options = { baseUrl, ...nodeOptions(tls) };
  return {
    'our own client': createRpcClient(LedgerService, { url: baseUrl, timeoutMs: LONGEST_MS, ...(tls && { tls }) }),
    ...clientsOf({
      'Connect over HTTP/2': createConnectTransport({ ...options, httpVersion: '2' }),
      gRPC: createGrpcTransport(options),
      'gRPC-Web over HTTP/2': createGrpcWebTransport({ ...options, httpVersion: '2' }),
    }),
  };
}

export function http1Clients(baseUrl: string, tls?: RpcTls): Readonly<Record<string, LedgerClient>> {
  const options = { baseUrl, httpVersion: '1.1', ...nodeOptions(tls) } as const;
  return clientsOf({
    'Connect over HTTP/1.1': createConnectTransport(options),
    'gRPC-Web over HTTP/1.1': createGrpcWebTransport(options),
  });
}

function clientsOf(transports: Readonly<Record<string, Transport>>): Record<string, LedgerClient> {
  return Object.fromEntries(
    Object.entries(transports).map(([name, transport]) => [name, createClient(LedgerService, transport)]),
  );
}

function nodeOptions(tls: RpcTls | undefined) {
  if (!tls) return {};
  const [ca, cert, key] = [tls.tlsCaFile, tls.tlsCertFile, tls.tlsKeyFile].map((file) => readFileSync(file));
  return { nodeOptions: { ca, cert, key } };
}

export async function callHeld(client: LedgerClient, sent: bigint): Promise<void> {
  const { allowance } = await client.getAllowance({ subscriptionId: sent });
  if (allowance?.windowRemaining !== sent) throw new Error('another call was answered');
}

/** The call is held between the two messages of its answer; throws if it breaks off. */
export async function streamHeld(client: LedgerClient, sent: bigint): Promise<void> {
  const indexes: number[] = [];
  const postings = [{ posting: { case: 'settle', value: { operationId: sent } } as const }];
  for await (const { answers } of client.post({ postings })) indexes.push(...answers.map(({ index }) => index));
  if (indexes.join() !== '0,1') throw new Error(`the stream ended after the messages ${indexes.join()}`);
}
