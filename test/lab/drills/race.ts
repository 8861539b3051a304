import { NO_FLOOD_LIMITS } from '../../support/no-flood-limits.ts';
import { seeded } from '../../support/random.ts';
import { checkEnded, checkKeys, checkMatching, checkUnits, untilEnded } from '../checks/settlement.ts';
import { snapshotAddresses } from '../checks/snapshot.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { doorsOf } from '../load/client.ts';
import { populate } from '../load/evidence.ts';
import { AMPLE, createAccount } from '../load/subscribers.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { identicalRaceFaults, mixedRaceFaults, type Race, race } from './race/races.ts';

const USAGE = 'npm run lab -- race [--keys N] [--seed S]';
const { values } = readArguments(USAGE, { keys: { type: 'string' }, seed: { type: 'string' } });
const keys = atLeastOne(values.keys, 1000);
const seed = values.seed ?? String(Date.now());

const SETTINGS = {
  ...NO_FLOOD_LIMITS,
  CES_LOG_LEVEL: 'warn',
};
const AT_ONCE = 3;
const SETTLED_WITHIN_MS = 60_000;

process.exitCode = await main();

async function main(): Promise<number> {
  console.log(`race: ${keys} keys, seed ${seed}; repeat with npm run lab -- race --keys ${keys} --seed ${seed}`);
  const random = seeded(seed);
  await using cluster = await startCluster({ gateways: 3, operations: 2, settings: SETTINGS, random });
  const { ledger } = await populate(cluster);
  const account = await createAccount(ledger, AMPLE, 2);
  const common = { keys, atOnce: AT_ONCE, doors: doorsOf(cluster.gateways, [account]), say };
  const begun = performance.now();
  const identical = await race({ ...common, racers: 20, random: random.branch('identical'), query: () => 'bakery' });
  const mixed = await race({
    ...common,
    racers: 10,
    random: random.branch('mixed'),
    query: (at) => (at === 0 ? 'foundry' : 'bakery'),
  });
  const faults = [
    ...identical.flatMap(identicalRaceFaults),
    ...mixed.flatMap(mixedRaceFaults),
    ...(await bookFaults(cluster, [...identical, ...mixed])),
  ];
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const calls = [...identical, ...mixed].reduce((sum, { attempts }) => sum + attempts.length, 0);
  for (const fault of faults.slice(0, 50)) console.log(fault);
  console.log(`${2 * keys} keys, ${calls} calls in ${seconds} s, ${faults.length} violations`);
  return faults.length === 0 ? 0 : 1;
}

/** Each idempotency key has one operation, one hold and one entry, and there are no others. */
async function bookFaults({ servers }: Cluster, races: readonly Race[]): Promise<string[]> {
  const snapshot = await untilEnded(snapshotAddresses(servers.databases), SETTLED_WITHIN_MS);
  const counts = {
    operations: snapshot.operations.length,
    holds: snapshot.holds.length,
    entries: snapshot.entries.length,
  };
  const wrong = Object.entries(counts).filter(([, count]) => count !== races.length);
  const attempts = races.flatMap((one) => one.attempts);
  return [
    ...wrong.map(([name, count]) => `${count} ${name} for ${races.length} keys`),
    ...checkEnded(snapshot),
    ...checkMatching(snapshot),
    ...checkUnits(snapshot),
    ...checkKeys(snapshot, attempts),
  ];
}

function say(done: number): void {
  if (done % 100 === 0) console.log(`${done} keys`);
}
