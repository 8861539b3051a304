import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '@ces/chassis/telemetry/log';
import { migrateAll } from '@ces/servers/postgres/databases';
import { REPOSITORY } from '@ces/topology/services';
import { lastMigratingCommit, unpackTree } from '../../support/old-tree.ts';
import { seeded } from '../../support/random.ts';
import { judge } from '../checks/judge.ts';
import { snapshotAddresses } from '../checks/snapshot.ts';
import type { Attempt } from '../load/attempt.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Code, type ReplicatedStack, startReplicatedStack } from './rolling/replicated-stack.ts';
import { failedCalls, percentile } from './rolling/traffic.ts';

const USAGE = 'npm run lab -- rolling [--from COMMIT|TAG|migration] [--rounds N] [--rate CALLS_A_SECOND] [--seed S]';
const { values } = readArguments(USAGE, {
  from: { type: 'string' },
  rounds: { type: 'string' },
  rate: { type: 'string' },
  seed: { type: 'string' },
});
const rounds = atLeastOne(values.rounds, 2);
const rate = atLeastOne(values.rate, 40);
const seed = values.seed ?? String(Date.now());

const PROCESSES = 2;
// Longer than a client keeps an idle connection, and than the balancer's readiness interval.
const SETTINGS = { CES_DRAIN_DELAY_MS: '5000' };

process.exitCode = await main();

/**
 * Replaces every service, two processes each, one at a time under load. No call may fail. With
 * `--from`, the stack starts with the code of a commit or tag that has every baseline, or of the
 * one before the last migration. Then migrations run, today's code replaces it process by process,
 * and the old code returns, as after `helm rollback`.
 */
async function main(): Promise<number> {
  const from = values.from === 'migration' ? await beforeLastMigration() : values.from;
  const repeat = `npm run lab -- rolling ${from ? `--from ${from}` : `--rounds ${rounds}`} --rate ${rate} --seed ${seed}`;
  console.log(`rolling ${from ? 'upgrade' : 'restarts'}: ${rate} calls a second, seed ${seed}; repeat with ${repeat}`);
  await using cleanup = new AsyncDisposableStack();
  const code: Code = { tree: REPOSITORY };
  const old = from && (await unpackOld(from, cleanup));
  if (old) code.tree = old;
  const stack = cleanup.use(
    await startReplicatedStack({
      processes: PROCESSES,
      random: seeded(seed),
      settings: SETTINGS,
      code,
    }),
  );
  const stop = new AbortController();
  const traffic = stack.traffic(rate, stop.signal);
  await pause(2_000);
  if (old) await upgradeAndBack(stack, code, old);
  else for (let round = 1; round <= rounds; round += 1) await replaceAll(stack, `round ${round}`);
  await pause(2_000);
  stop.abort();
  return await conclude(stack, await traffic, repeat);
}

async function upgradeAndBack(stack: ReplicatedStack, code: Code, old: string): Promise<void> {
  const begun = performance.now();
  await migrateAll(stack.servers.databases, createLogger('rolling', 'warn'));
  console.log(`migrations under load: ${Math.round(performance.now() - begun)} ms`);
  code.tree = REPOSITORY;
  await replaceAll(stack, 'old code by new');
  code.tree = old;
  await replaceAll(stack, 'new code by old');
}

async function replaceAll({ replicas }: ReplicatedStack, name: string): Promise<void> {
  const begun = performance.now();
  for (const one of replicas) await one.restart();
  console.log(`${name}: ${Math.round((performance.now() - begun) / 1_000)} s`);
}

async function conclude(stack: ReplicatedStack, attempts: readonly Attempt[], repeat: string): Promise<number> {
  const { replicas, servers, balancers, account, gatewayUrl, secrets } = stack;
  const judged = { accounts: [account], gatewayUrl, secrets, logDirectory: servers.directory };
  const faults = [
    ...failedCalls(attempts),
    ...replicas.flatMap(({ name, ends }) => ends.filter((end) => end !== 0).map((end) => `${name} ended with ${end}`)),
    ...(await judge({ ...judged, databases: snapshotAddresses(servers.databases) }, attempts)),
  ];
  for (const fault of faults.slice(0, 40)) console.log(fault);
  const restarts = replicas.reduce((sum, { ends }) => sum + ends.length, 0);
  const refused = [...balancers.values()].reduce((sum, balancer) => sum + balancer.refused(), 0);
  console.log(
    `${restarts} restarts under ${attempts.length} calls, ${failedCalls(attempts).length} failed calls, ${refused} connections refused, ` +
      `p50 ${percentile(attempts, 50)} ms, p99 ${percentile(attempts, 99)} ms; ${faults.length} violations`,
  );
  if (faults.length === 0) return 0;
  servers.keepFiles();
  console.log(`logs are in ${servers.directory}; repeat with ${repeat}`);
  return 1;
}

async function beforeLastMigration(): Promise<string> {
  const commit = await lastMigratingCommit();
  if (!commit) throw new Error('no migration was added to the baselines: name a commit or a tag of code that has them');
  return `${commit}^`;
}

async function unpackOld(commit: string, cleanup: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-old-code-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  await unpackTree(commit, folder);
  return folder;
}
