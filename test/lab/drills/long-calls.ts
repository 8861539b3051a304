import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  callHeld,
  http1Clients,
  http2Clients,
  startHoldingServer,
  streamHeld,
} from '@ces/chassis/test-support/held-calls';
import { table } from '@ces/cli/output/table';
import { startGateway } from '@ces/gateway/test-support/gateway';
import { answerOf, searched } from '@ces/gateway/test-support/peers';
import { createAuthority } from '../../support/certificates.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';

const { values } = readArguments('npm run lab -- long-calls [--age MS]', { age: { type: 'string' } });
/** Maximum connection age between services. The gateway's own connections keep the default. */
const connectionAgeMs = atLeastOne(values.age, 10_000);

/** Durations of calls, up to slightly below the longest deadline. */
const DURATIONS_MS = [5_000, 15_000, 25_000, 110_000];
/** Calls start throughout this time, so that connections end at every phase of a call. */
const BEGIN_WITHIN_MS = 60_000;
const BEGIN_EVERY_MS = 5_000;
/** The gateway's longest wait before it answers 202. */
const LONGEST_OF_GATEWAY_MS = 25_000;

interface Caller {
  readonly name: string;
  readonly longestMs: number;
  call(durationMs: number): Promise<void>;
}

process.exitCode = await main();

/**
 * R22: makes calls of every length over every transport to every kind of server while connections
 * reach their maximum age.
 */
async function main(): Promise<number> {
  await using cleanup = new AsyncDisposableStack();
  const callers = [...(await rpcCallers(cleanup)), await gatewayCaller(cleanup)];
  const outcomes = await Promise.all(callers.map(async (caller) => ({ caller, made: await callThroughAges(caller) })));
  const count = (made: readonly Outcome[], outcome: Outcome) => made.filter((one) => one === outcome).length;
  const rows = outcomes.map(({ caller, made }) => [
    ...[caller.name, made.length, count(made, 'sent again'), count(made, 'failed')],
  ]);
  console.log(`\n${table(['way', 'calls', 'sent again', 'failed'], rows)}\n`);
  const failed = outcomes.reduce((sum, { made }) => sum + count(made, 'failed'), 0);
  console.log(`${failed} violations`);
  return failed === 0 ? 0 : 1;
}

type Outcome = 'answered' | 'sent again' | 'failed';

async function callThroughAges(caller: Caller): Promise<Outcome[]> {
  const durations = DURATIONS_MS.filter((ms) => ms <= caller.longestMs);
  const made: Promise<Outcome>[] = [];
  for (let at = 0; at < BEGIN_WITHIN_MS; at += BEGIN_EVERY_MS) {
    made.push(...durations.map((ms) => callOnce(caller, ms)));
    await pause(BEGIN_EVERY_MS);
  }
  return await Promise.all(made);
}

/**
 * A request that crosses the server's GOAWAY was not processed (RFC 9113 §8.7, REFUSED_STREAM).
 * gRPC libraries retry it automatically. Connect leaves that to the caller.
 */
async function callOnce({ name, call }: Caller, ms: number): Promise<Outcome> {
  const begun = performance.now();
  const isUnbegun = (error: unknown) => /REFUSED_STREAM/.test(String(error)) && performance.now() - begun < ms;
  try {
    return await call(ms).then(
      () => 'answered' as const,
      async (error: unknown) => {
        if (!isUnbegun(error)) throw error;
        await call(ms);
        return 'sent again' as const;
      },
    );
  } catch (error) {
    console.log(`violation: ${name}, ${ms} ms: ${error}`);
    return 'failed';
  }
}

async function rpcCallers(cleanup: AsyncDisposableStack): Promise<Caller[]> {
  const hold = (ms: bigint) => pause(Number(ms));
  const plain = cleanup.use(await startHoldingServer(hold, { connectionAgeMs }));
  const tls = await mutualTls(cleanup);
  const secure = cleanup.use(await startHoldingServer(hold, { connectionAgeMs, tls }));
  const clients = {
    'in plain text': http2Clients(plain.url),
    'with mutual TLS': { ...http2Clients(secure.url, tls), ...http1Clients(secure.url, tls) },
  };
  const [longestMs = 0] = DURATIONS_MS.slice(-1);
  return Object.entries(clients).flatMap(([server, ways]) =>
    Object.entries(ways).flatMap(([way, client]) => [
      { name: `${way}, unary, ${server}`, longestMs, call: (ms: number) => callHeld(client, BigInt(ms)) },
      { name: `${way}, streaming, ${server}`, longestMs, call: (ms: number) => streamHeld(client, BigInt(ms)) },
    ]),
  );
}

/**
 * Calls REST. The operations service behind the gateway delays each search by the time in its
 * idempotency key.
 */
async function gatewayCaller(cleanup: AsyncDisposableStack): Promise<Caller> {
  let keys = 0;
  const gateway = cleanup.use(
    await startGateway({
      operations: {
        submitCompanySearch: async ({ requestKey }) => {
          await pause(Number(requestKey.split('-').at(-1)));
          return { answer: answerOf(searched) };
        },
      },
    }),
  );
  return {
    name: 'REST through the gateway',
    longestMs: LONGEST_OF_GATEWAY_MS,
    call: async (ms) => {
      keys += 1;
      const requestKey = `${keys}-${ms}`;
      const { status } = await gateway.call('/api/companies/search', {
        method: 'POST',
        requestKey,
        json: { query: 'bids' },
      });
      if (status !== 200) throw new Error(`answered ${status}`);
    },
  };
}

async function mutualTls(cleanup: AsyncDisposableStack) {
  const folder = await mkdtemp(path.join(tmpdir(), 'ces-long-calls-'));
  cleanup.defer(() => rm(folder, { recursive: true }));
  const { certFile, keyFile, caFile } = await (await createAuthority()).issue(folder, ['127.0.0.1']);
  const files = { tlsCertFile: certFile, tlsKeyFile: keyFile, tlsCaFile: caFile };
  return { ...files, tlsClientAuth: 'require', tlsRefreshMs: 5_000 } as const;
}
