import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { assembleOpenSearch } from '../../support/opensearch/assemble.ts';
import { startOpenSearch } from '../../support/opensearch/server.ts';
import { seeded } from '../../support/random.ts';
import type { Attempt } from '../load/attempt.ts';
import { evidence } from '../load/evidence.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { createFills, type Engine, type Fills } from './opensearch/fills.ts';
import { type Watched, watchEvidence } from './opensearch/watched-evidence.ts';
import { judge } from './rolling/judge.ts';
import { type ReplicatedStack, startReplicatedStack } from './rolling/replicated-stack.ts';
import { failedCalls, percentile } from './rolling/traffic.ts';

const USAGE = 'npm run lab -- opensearch-change-over [--rate CALLS_A_SECOND] [--seed S]';
const { values } = readArguments(USAGE, { rate: { type: 'string' }, seed: { type: 'string' } });
const rate = atLeastOne(values.rate, 10);
const seed = values.seed ?? String(Date.now());

const PROCESSES = 2;
const CALM_MS = 3_000;

process.exitCode = await main();

/**
 * Switches from Postgres to OpenSearch and back by the steps of deploy/docs/search-engines.md,
 * under load with new and withdrawn evidence. No call may fail, no withdrawn evidence appear,
 * nothing be lost, and every operation be charged once.
 */
async function main(): Promise<number> {
  const repeat = `npm run lab -- opensearch-change-over --rate ${rate} --seed ${seed}`;
  console.log(`change of engines: ${rate} calls a second, seed ${seed}; repeat with ${repeat}`);
  await assembleOpenSearch();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-change-over-'));
  try {
    await using server = await startOpenSearch({ directory });
    /* Later processes start with the settings as they are then. */
    const settings: Record<string, string> = {
      CES_DRAIN_DELAY_MS: '5000',
      CES_SEARCH_OPENSEARCH_URL: server.url,
      CES_SEARCH_ENGINE: 'postgres',
    };
    await using stack = await startReplicatedStack({ processes: PROCESSES, random: seeded(seed), settings });
    const stop = new AbortController();
    const traffic = stack.traffic(rate, stop.signal);
    const watching = watch(stack, stop.signal);
    watching.catch(() => stop.abort());
    await pause(CALM_MS);
    await using fills = createFills(stack);
    await fills.begin('opensearch');
    await changeOver(stack, settings, 'opensearch', fills);
    await pause(CALM_MS);
    await changeOver(stack, settings, 'postgres', fills);
    await pause(CALM_MS);
    stop.abort();
    return await conclude(stack, await traffic, await watching, repeat);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Fills both engines, replaces the answering processes, and continues to fill the previous engine.
 */
async function changeOver(stack: ReplicatedStack, settings: Record<string, string>, to: Engine, fills: Fills) {
  const begun = performance.now();
  await fills.untilFilled();
  console.log(`${to} has everything after ${seconds(begun)} s`);
  settings.CES_SEARCH_ENGINE = to;
  const replaced = performance.now();
  await stack.replicas.find(({ name }) => name === 'search')?.restart();
  await fills.begin(to === 'opensearch' ? 'postgres' : 'opensearch');
  console.log(`${to} answers: processes replaced in ${seconds(replaced)} s`);
}

async function watch({ balancers, secrets }: ReplicatedStack, signal: AbortSignal): Promise<Watched> {
  const lookupUrl = `http://127.0.0.1:${balancers.get('lookup')?.port}`;
  const searchUrl = `http://127.0.0.1:${balancers.get('search')?.port}`;
  const callerToken = secrets.admin_token ?? '';
  const record = evidence(lookupUrl, searchUrl, callerToken);
  return await watchEvidence({ evidence: record, lookupUrl, searchUrl, callerToken }, signal);
}

async function conclude(
  stack: ReplicatedStack,
  attempts: readonly Attempt[],
  watched: Watched,
  repeat: string,
): Promise<number> {
  const failed = failedCalls(attempts);
  const faults = [...failed, ...watched.violations, ...(await judge(stack, attempts))];
  for (const fault of faults.slice(0, 40)) console.log(fault);
  const { recorded, withdrawn, searches, unavailable } = watched;
  console.log(
    `${attempts.length} calls of subscribers, ${failed.length} failed, p50 ${percentile(attempts, 50)} ms, p99 ${percentile(attempts, 99)} ms; ` +
      `${recorded} recorded, ${withdrawn} withdrawn, ${searches} searches for them, ${unavailable} declared unavailable; ` +
      `load average ${(os.loadavg()[0] ?? 0).toFixed(1)}; ${faults.length} violations`,
  );
  if (faults.length === 0) return 0;
  stack.servers.keepFiles();
  console.log(`logs are in ${stack.servers.directory}; repeat with ${repeat}`);
  return 1;
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1_000);
}
