import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { documentedRequest } from '../../interop/documented-calls.ts';
import { makeCheck, type Say } from './row.ts';
import type { InteropServers } from './servers.ts';
import type { Built } from './tool-chains.ts';

type Line = { readonly check: string; readonly ok: boolean; readonly seen: string } | { readonly wait: string };

/** Number of checks a client makes. A run with fewer fails. */
const CHECKS = 11;
const ENDED_WITHIN_MS = 5_000;
const LEAST_SHARE = 0.45;
const LEAST_PINGS = 2;

export async function checkLibrary(say: Say, client: string, built: Built, servers: InteropServers): Promise<void> {
  const before = countsOf(servers);
  const subscriber = await servers.subscribe();
  const limited = await servers.subscribe({ windowRequestUnits: 1n });
  const test = await servers.subscribe({ testMode: true });
  const instructions = {
    operations: servers.operations,
    ledger: servers.ledger,
    replicas: servers.replicas.map(({ address }) => address),
    idle: servers.idle.address,
    ending: new URL(servers.ending.current.url).host,
    apiKey: subscriber.apiKey,
    limitedKey: limited.apiKey,
    testKey: test.apiKey,
    tls: servers.mutual,
    request: JSON.parse(documentedRequest(subscriber.apiKey)),
  };
  const [file = '', ...parameters] = built.command;
  const child = spawn(file, parameters, { env: { ...process.env, ...built.env }, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${JSON.stringify(instructions)}\n`);
  let checks = 0;
  for await (const text of createInterface(child.stdout)) {
    const line = JSON.parse(text) as Line;
    if ('wait' in line) {
      await makeCheck(say, client, 'the server it is connected to ends', () => endServer(servers));
      child.stdin.write('\n');
      continue;
    }
    checks += 1;
    say({ client, check: line.check, outcome: line.ok ? 'ok' : 'failed', seen: line.seen });
  }
  await makeCheck(say, client, 'made every check', async () => expectThat(checks >= CHECKS, `${checks} checks`));
  const after = countsOf(servers);
  await makeCheck(say, client, 'servers shared its calls', async () => sharesOf(before.calls, after.calls));
  await makeCheck(say, client, 'pings came through on one connection', async () => {
    const [pings, connections] = [after.pings - before.pings, after.connections - before.connections];
    return expectThat(pings >= LEAST_PINGS && connections === 1, `${pings} pings, ${connections} connections`);
  });
  await makeCheck(say, client, 'was charged once', async () => {
    const units = await subscriber.charged();
    return expectThat(units === 1, `${units} request units`);
  });
}

function countsOf({ replicas, idle }: InteropServers) {
  const { pings, connections } = idle.counts;
  return { calls: replicas.map(({ counts }) => counts.calls), pings, connections };
}

function sharesOf(before: readonly number[], after: readonly number[]): string {
  const calls = after.map((count, at) => count - (before[at] ?? 0));
  const total = calls.reduce((sum, count) => sum + count, 0);
  return expectThat(Math.min(...calls) >= LEAST_SHARE * total, `${calls.join(' and ')} calls`);
}

/** Ends a process with SIGTERM, as a cluster does. Another one replaces it. */
async function endServer({ ending }: InteropServers): Promise<string> {
  const begun = performance.now();
  await ending.current[Symbol.asyncDispose]();
  const took = Math.round(performance.now() - begun);
  return expectThat(took < ENDED_WITHIN_MS, `after ${took} ms`);
}

function expectThat(holds: boolean, seen: string): string {
  if (!holds) throw new Error(seen);
  return seen;
}
