import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { backUp } from '@ces/local/backup/dump';
import { restore } from '@ces/local/backup/load';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { NO_FLOOD_LIMITS } from '../../support/no-flood-limits.ts';
import { type Random, seeded } from '../../support/random.ts';
import { checkLimits, checkReports } from '../checks/allowance.ts';
import { checkReplays, checkStates } from '../checks/answers.ts';
import { checkEnded, checkKeys, checkMatching, checkUnits } from '../checks/settlement.ts';
import { readSnapshot, type Snapshot } from '../checks/snapshot.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { type Attempt, isAnswered } from '../load/attempt.ts';
import { type Door, report } from '../load/client.ts';
import { runClients } from '../load/clients.ts';
import { evidence, fillRecord } from '../load/evidence.ts';
import { type Account, AMPLE, createAccount, ledgerAdmin } from '../load/subscribers.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';

const USAGE = 'npm run lab -- restore [--seconds S] [--clients N] [--seed S]';
const { values } = readArguments(USAGE, {
  seconds: { type: 'string' },
  clients: { type: 'string' },
  seed: { type: 'string' },
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
const QUIET_WITHIN_MS = 60_000;

type Moment = 'earlier' | 'later';

interface Drill {
  readonly cluster: Cluster;
  readonly directory: string;
  readonly account: Account;
  readonly random: Random;
  readonly attempts: Attempt[];
}

process.exitCode = await main();

/** Two backups of both databases under load, then both restored to different moments, once in each direction. */
async function main(): Promise<number> {
  const repeat = `npm run lab -- restore --seconds ${seconds} --clients ${clients} --seed ${seed}`;
  console.log(`restore drill: ${seconds} s of load between two backups, ${clients} clients; repeat with ${repeat}`);
  const random = seeded(seed);
  await using cluster = await startCluster({ gateways: 1, operations: 1, settings: SETTINGS, random });
  const admin = cluster.secrets.admin_token ?? '';
  await fillRecord(evidence(cluster.urlOf('lookup'), cluster.urlOf('search'), admin));
  const account = await createAccount(ledgerAdmin(cluster.urlOf('ledger'), admin), AMPLE, 2);
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-restore-'));
  try {
    const drill: Drill = { cluster, directory, account, random, attempts: [] };
    await load(drill, 'first', () => takeBackups(drill, 'earlier'));
    await load(drill, 'second', () => takeBackups(drill, 'later'));
    const violations = [
      ...(await restoreUnequal(drill, { operations: 'later', ledger: 'earlier' })),
      ...(await restoreUnequal(drill, { operations: 'earlier', ledger: 'later' })),
    ];
    for (const violation of violations.slice(0, 40)) console.log(violation);
    console.log(`${violations.length} violations`);
    return violations.length === 0 ? 0 : 1;
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function load(drill: Drill, name: string, meanwhile: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const running = runClients(clients, doorsOf(drill), drill.random.branch(name), stop.signal, (attempt) =>
    drill.attempts.push(attempt),
  );
  await pause(seconds * 1_000);
  await meanwhile();
  stop.abort();
  await running;
}

/** While clients call: the moments of the two databases are a little apart, as they always are. */
async function takeBackups({ cluster, directory }: Drill, moment: Moment): Promise<void> {
  for (const service of RESTORED) {
    const begun = performance.now();
    const { at, rows } = await backUp(ownerUrl(cluster, service), path.join(directory, `${service}-${moment}`));
    console.log(
      `backup of ${service}, ${moment}: ${rows} rows as of ${at} in ${Math.round(performance.now() - begun)} ms`,
    );
  }
}

async function restoreUnequal(drill: Drill, moments: Readonly<Record<(typeof RESTORED)[number], Moment>>) {
  console.log(`\nledger restored to the ${moments.ledger} moment, operations to the ${moments.operations} one`);
  const { cluster } = drill;
  const begun = performance.now();
  await whileDown(cluster, async () => {
    for (const service of RESTORED)
      await restore(ownerUrl(cluster, service), path.join(drill.directory, `${service}-${moments[service]}`));
  });
  const up = performance.now();
  console.log(`restored and serving after ${Math.round(up - begun)} ms`);
  const before = checkMatching(await readSnapshot(addressesOf(cluster)));
  console.log(`before reconciling: ${before.length} operations on which the two differ, for example ${before[0]}`);
  const reconciled = await reconcile(cluster);
  console.log(
    `reconciled ${reconciled.checked} operations in ${Math.round(performance.now() - up)} ms: ${reconciled.settledAgain} settled again, ${reconciled.released} given back, ${reconciled.notAdmitted} not admitted`,
  );
  return await judge(drill, before.length);
}

/** What is left is what cannot be repaired: settlements of operations that are lost. Then all must work and agree as before. */
async function judge(drill: Drill, before: number): Promise<string[]> {
  const { cluster, account } = drill;
  await quiet(cluster);
  const lost = lostOperations(await readSnapshot(addressesOf(cluster)));
  const begun = drill.attempts.length;
  await load(drill, `after ${begun}`, async () => undefined);
  await quiet(cluster);
  const snapshot = withoutOperations(await readSnapshot(addressesOf(cluster)), lost);
  const since = drill.attempts.slice(begun);
  const said = await report(doorOf(drill));
  const whole = await readSnapshot(addressesOf(cluster));
  const violations = [
    ...(before === 0 ? ['the restore made no difference: the drill proves nothing'] : []),
    ...checkMatching(snapshot),
    ...checkUnits(snapshot),
    ...checkKeys(snapshot, since),
    ...checkEnded(snapshot),
    ...checkLimits(whole),
    ...checkReplays(since.filter(isAnswered)),
    ...checkReports(whole, new Map([[account.subscriptionId, said]])),
    ...checkStates(since.filter(isAnswered)),
  ];
  console.log(
    `settled for operations that are lost, which stays: ${lost.size}; after ${since.length} more calls ${violations.length} violations of C1 to C8`,
  );
  return violations;
}

/** Operations that the ledger settled and operations does not know. */
function lostOperations({ operations, entries }: Snapshot): ReadonlySet<bigint> {
  const known = new Set(operations.map(({ id }) => id));
  return new Set(entries.map((entry) => entry.operation_id).filter((id) => !known.has(id)));
}

function withoutOperations(snapshot: Snapshot, ids: ReadonlySet<bigint>): Snapshot {
  return {
    ...snapshot,
    holds: snapshot.holds.filter((hold) => !ids.has(hold.operation_id)),
    entries: snapshot.entries.filter((entry) => !ids.has(entry.operation_id)),
  };
}

async function reconcile(cluster: Cluster) {
  const callerToken = cluster.secrets.admin_token ?? '';
  const operations = createRpcClient(OperationsAdminService, {
    url: cluster.urlOf('operations'),
    callerToken,
    timeoutMs: 60_000,
  });
  const found = { checked: 0, settledAgain: 0, released: 0, notAdmitted: 0 };
  for (let afterOperationId = 0n, more = true; more; ) {
    const page = await operations.reconcileLedger({ afterOperationId, limit: 200 });
    found.checked += page.checked;
    found.settledAgain += page.settledAgain.length;
    found.released += page.released.length;
    found.notAdmitted += page.notAdmitted.length;
    more = page.checked === 200;
    afterOperationId = page.lastOperationId;
  }
  return found;
}

async function whileDown({ services }: Cluster, work: () => Promise<void>): Promise<void> {
  const { promise: back, resolve } = Promise.withResolvers<void>();
  const owners = services.filter(({ name }) => RESTORED.some((service) => name.startsWith(`${service}-`)));
  await Promise.all(owners.map((part) => part.kill(back)));
  await work();
  resolve();
  await Promise.all(owners.map((part) => part.untilUp()));
}

async function quiet(cluster: Cluster): Promise<void> {
  for (const deadline = Date.now() + QUIET_WITHIN_MS; Date.now() < deadline; await pause(250))
    if (checkEnded(await readSnapshot(addressesOf(cluster))).length === 0) return;
}

function doorsOf({ cluster, account: { accountId, tokens } }: Drill): Door[] {
  return tokens.map((token) => ({ baseUrl: cluster.gateways[0] ?? '', token, accountId, surface: 'rest' }));
}

function doorOf(drill: Drill): Door {
  const [door] = doorsOf(drill);
  if (!door) throw new Error('the account has no credential');
  return door;
}

function ownerUrl({ servers: { databases } }: Cluster, service: (typeof RESTORED)[number]): string {
  return databases.get(service)?.ownerUrl ?? '';
}

function addressesOf(cluster: Cluster) {
  return { operations: ownerUrl(cluster, 'operations'), ledger: ownerUrl(cluster, 'ledger') };
}
