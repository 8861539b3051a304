import { randomUUID } from 'node:crypto';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { atLeastOne, readArguments } from '../bench/support/arguments.ts';
import { type Cluster, startCluster } from '../chaos/cluster/cluster.ts';
import { evidence, fillRecord } from '../chaos/load/evidence.ts';
import { AMPLE, createAccount, ledgerAdmin } from '../chaos/load/subscribers.ts';
import { type Random, seeded } from '../chaos/random.ts';
import { NO_FLOOD_LIMITS } from '../support/no-flood-limits.ts';
import { surface } from '../support/subscriber.ts';
import { type Comparison, compare, type Series } from './timing/compare.ts';
import { type Belongings, type Probe, probes } from './timing/probes.ts';

const USAGE = 'npm run bench:tenancy -- [--calls N] [--seed S]';
const { values } = readArguments(USAGE, { calls: { type: 'string' }, seed: { type: 'string' } });
/** Of each kind and probe. */
const calls = atLeastOne(values.calls, 2_000);
const seed = values.seed ?? String(Date.now());

const WARM_UP = 100;
/** What is promised of the medians (reliability.md, S1), in milliseconds. */
const APART_AT_MOST_MS = 2;
const SETTINGS = {
  ...NO_FLOOD_LIMITS,
  CES_LOG_LEVEL: 'warn',
};

/** Of the three calls of a round. */
const ORDERS = [
  ['foreign', 'absent', 'again'],
  ['foreign', 'again', 'absent'],
  ['absent', 'foreign', 'again'],
  ['absent', 'again', 'foreign'],
  ['again', 'foreign', 'absent'],
  ['again', 'absent', 'foreign'],
] as const;

process.exitCode = await main();

/** Whether the time of an answer tells what another account has: names of its own beside names of nobody's, interleaved. */
async function main(): Promise<number> {
  console.log(
    `${calls} calls of each kind, seed ${seed}; repeat with npm run bench:tenancy -- --calls ${calls} --seed ${seed}`,
  );
  const random = seeded(seed);
  await using cluster = await startCluster({ gateways: 1, operations: 1, settings: SETTINGS, random });
  const { owner, stranger } = await makeAccounts(cluster);
  const belongings = await fill(owner, calls);
  const operations = createRpcClient(OperationsService, { url: cluster.urlOf('operations'), timeoutMs: 30_000 });
  let told = 0;
  for (const probe of probes(stranger, operations, belongings)) {
    const own = random.branch(probe.name);
    const series = await measure(probe, own);
    const median = compare(series, 0.5, own);
    console.log(`${probe.name}\n  ${describe('median', median)}`);
    // Other work on the machine disturbs the fastest calls least.
    console.log(`  ${describe('fastest tenth', compare(series, 0.1, own))}`);
    if (Math.abs(median.differenceMs) >= APART_AT_MOST_MS) told += 1;
  }
  console.log(`${told} probes apart by ${APART_AT_MOST_MS} ms or more`);
  return told === 0 ? 0 : 1;
}

async function makeAccounts(cluster: Cluster) {
  const adminToken = cluster.secrets.admin_token ?? '';
  await fillRecord(evidence(cluster.urlOf('lookup'), cluster.urlOf('search'), adminToken));
  const admin = ledgerAdmin(cluster.urlOf('ledger'), adminToken);
  const one = async () => {
    const [token = ''] = (await createAccount(admin, AMPLE, 1)).tokens;
    return { token, ...surface(cluster.gateways[0] ?? '', token) };
  };
  return { owner: await one(), stranger: await one() };
}

/** Operations of the owner: a key for every probe of one, since a key is the stranger's own after its first use. */
async function fill(owner: ReturnType<typeof surface>, count: number): Promise<Belongings> {
  const keys = Array.from({ length: count + WARM_UP }, () => randomUUID());
  const usageIds: number[] = [];
  for (const key of keys) usageIds.push((await owner.lookUp({ domains: ['nobody.example'] }, key)).body.usage.id);
  const cursors: string[] = [];
  for (let made = 0; made < 50; made += 1)
    cursors.push((await owner.search({ query: 'bakery', limit: 1 })).body.next_cursor);
  return { usageIds, keys, cursors };
}

/** One call at a time; within each round the order is the seed's. */
async function measure({ foreign, absent }: Probe, random: Random): Promise<Series> {
  const kinds = { foreign, absent, again: (at: number) => absent(at + calls + WARM_UP) };
  const times: Record<keyof typeof kinds, number[]> = { foreign: [], absent: [], again: [] };
  for (let at = 0; at < calls + WARM_UP; at += 1)
    for (const kind of ORDERS[random.below(ORDERS.length)] ?? []) {
      const begun = performance.now();
      await kinds[kind](at);
      if (at >= WARM_UP) times[kind].push(performance.now() - begun);
    }
  return times;
}

function describe(rank: string, { foreignMs, absentMs, differenceMs, sameKindMs, spreadMs }: Comparison): string {
  const within = Math.abs(differenceMs) <= spreadMs ? 'within' : 'beyond';
  return (
    `${rank}: ${foreignMs.toFixed(3)} ms for the other account's, ${absentMs.toFixed(3)} ms for nobody's; ` +
    `difference ${differenceMs.toFixed(3)} ms, ${within} the spread of one kind ` +
    `(${sameKindMs.toFixed(3)} ms between two series, 95 % of halves below ${spreadMs.toFixed(3)} ms)`
  );
}
