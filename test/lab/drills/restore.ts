import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresServer } from '@ces/servers/postgres/server';
import { removeDirectory } from '@ces/servers/processes/account';
import { NO_FLOOD_LIMITS } from '../../support/no-flood-limits.ts';
import { type Random, seeded } from '../../support/random.ts';
import { checkLimits, checkReports } from '../checks/allowance.ts';
import { checkReplays, checkStates } from '../checks/answers.ts';
import { checkEnded, checkKeys, checkMatching, checkUnits, untilEnded } from '../checks/settlement.ts';
import { readSnapshot, snapshotAddresses } from '../checks/snapshot.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { type Attempt, isAnswered } from '../load/attempt.ts';
import { doorsOf, report } from '../load/client.ts';
import { startClients } from '../load/clients.ts';
import { populate } from '../load/evidence.ts';
import { type Account, AMPLE, createAccount } from '../load/subscribers.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { beginCopy, KINDS, type Kind, moveTo, openCopy, takeCopy } from './restore/copies.ts';
import { putBack } from './restore/in-flight.ts';
import { OF_THE_RECORD, tryRecord } from './restore/record-trial.ts';
import { afterRestore } from './restore/repair.ts';

const USAGE = 'npm run lab -- restore [--seconds S] [--clients N] [--seed S] [--only "dump ledger"]';
const { values } = readArguments(USAGE, {
  seconds: { type: 'string' },
  clients: { type: 'string' },
  seed: { type: 'string' },
  only: { type: 'string' },
});
const seconds = atLeastOne(values.seconds, 15);
const clients = atLeastOne(values.clients, 4);
const seed = values.seed ?? String(Date.now());

const SETTINGS = {
  CES_OPERATIONS_LEASE_MS: '2000',
  CES_OPERATIONS_HEARTBEAT_MS: '500',
  CES_OPERATIONS_SWEEP_INTERVAL_MS: '500',
  ...NO_FLOOD_LIMITS,
};
const RESTORED = ['ledger', 'operations'] as const;
type Restored = (typeof RESTORED)[number];
const QUIET_WITHIN_MS = 120_000;

interface Drill {
  readonly cluster: Cluster;
  readonly account: Account;
  readonly random: Random;
  readonly attempts: Attempt[];
  readonly addresses: Record<Restored, string>;
}

process.exitCode = await main();

/**
 * Tries each kind of restore of each database, to a moment before seconds of load and hours of
 * clock time.
 */
async function main(): Promise<number> {
  const repeat = `npm run lab -- restore --seconds ${seconds} --clients ${clients} --seed ${seed}`;
  console.log(
    `restore drill: ${seconds} s of load before and after the moment, ${clients} clients; repeat with ${repeat}`,
  );
  let violations = 0;
  for (const { name, run } of trials().filter((trial) => (values.only ?? trial.name) === trial.name)) {
    const found = await run(seeded(`${seed} ${name}`));
    for (const violation of found.slice(0, 20)) console.log(violation);
    violations += found.length;
  }
  console.log(`\n${violations} violations`);
  return violations === 0 ? 0 : 1;
}

function trials() {
  return KINDS.flatMap((kind) => [
    ...RESTORED.map((service) => ({
      name: `${kind} ${service}`,
      run: (random: Random) => tryOne(kind, service, random),
    })),
    ...OF_THE_RECORD.map((service) => ({
      name: `${kind} ${service}`,
      run: (random: Random) => tryRecord(kind, service, random, { seconds, clients }),
    })),
  ]);
}

async function tryOne(kind: Kind, service: Restored, random: Random): Promise<string[]> {
  console.log(`\n${service} earlier, by ${kind}`);
  await using cluster = await startCluster({ gateways: 1, operations: 1, settings: SETTINGS, random });
  const { ledger } = await populate(cluster);
  const account = await createAccount(ledger, AMPLE, 2);
  const addresses = { ...snapshotAddresses(cluster.servers.databases) };
  const drill: Drill = { cluster, account, random, attempts: [], addresses };
  const directory = path.join(cluster.servers.directory, 'copy');
  await beginCopy(cluster, kind, directory);
  await load(drill, 'before');
  const copy = await takeCopy(cluster, kind, service, directory);
  await load(drill, 'since');
  await using server = await openCopy(cluster, copy, service);
  const begun = performance.now();
  const open = await swap(drill, service, server);
  console.log(
    `serving from ${copy.at} after ${Math.round(performance.now() - begun)} ms; ${open} put back into open states`,
  );
  const violations = await judge(drill, service);
  await removeDirectory(path.join(directory, 'server'));
  return violations;
}

async function load({ cluster, account, random, attempts }: Drill, name: string): Promise<void> {
  const doors = doorsOf(cluster.gateways, [account]);
  await using _load = startClients(clients, doors, random.branch(name), (attempt) => attempts.push(attempt));
  await pause(seconds * 1_000);
}

/**
 * Moves the service to the restored server. Operations then finds hours-old work in every state.
 */
async function swap({ cluster, addresses }: Drill, service: Restored, server: PostgresServer): Promise<number> {
  let open = 0;
  addresses[service] = await moveTo(cluster, service, server, async (url) => {
    if (service === 'operations') open = await putBack(url);
  });
  return open;
}

/**
 * Runs after-restore twice, then expects that all work has ended, databases agree, and the service
 * works.
 */
async function judge(drill: Drill, service: Restored): Promise<string[]> {
  const { cluster, account, addresses } = drill;
  const differing = checkMatching(await readSnapshot(addresses)).length;
  const services = service === 'ledger' ? RESTORED : (['operations'] as const);
  const begun = performance.now();
  const first = await afterRestore(cluster, services);
  const tookMs = Math.round(performance.now() - begun);
  await untilEnded(addresses, QUIET_WITHIN_MS);
  const again = await afterRestore(cluster, services);
  console.log(`${differing} differed; after-restore took ${tookMs} ms: ${JSON.stringify(first.done)}`);
  const from = drill.attempts.length;
  await load(drill, 'after');
  const snapshot = await untilEnded(addresses, QUIET_WITHIN_MS);
  const [door] = doorsOf(cluster.gateways, [account]);
  if (!door) throw new Error('the account has no credential');
  const since = drill.attempts.slice(from);
  const violations = [
    ...(differing === 0 ? ['the restore made no difference: the drill proves nothing'] : []),
    ...[...first.unrepaired, ...again.unrepaired].map((what) => `not repaired: ${what}`),
    ...(again.repairs > 0 ? [`run once more it repaired ${JSON.stringify(again.done)}`] : []),
    ...checkMatching(snapshot),
    ...checkUnits(snapshot),
    ...checkKeys(snapshot, since),
    ...checkEnded(snapshot),
    ...checkLimits(snapshot),
    ...checkReplays(since.filter(isAnswered)),
    ...checkReports(snapshot, new Map([[account.subscriptionId, await report(door)]])),
    ...checkStates(since.filter(isAnswered)),
  ];
  console.log(`after ${since.length} more calls ${violations.length} violations of C1 to C8`);
  return violations;
}
