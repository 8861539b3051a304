import { writeFile } from 'node:fs/promises';
import { type Random, seeded } from '../../support/random.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { percentile } from '../support/figures.ts';
import { type Arena, countsOf, SHORT_TIMES, startArena } from './trial/arena.ts';
import { runTrial } from './trial/trial.ts';
import { type Lane, type Plan, PROMISES, planOf } from './volume/plans.ts';
import { Tally } from './volume/tally.ts';

const USAGE =
  'npm run lab -- volume --only R2|R7|R8|R9|R18|R22 [--share 0.1] [--group N] [--minutes M] [--clients N] [--seed S] [--json FILE]';
const { values } = readArguments(USAGE, {
  only: { type: 'string' },
  share: { type: 'string' },
  group: { type: 'string' },
  minutes: { type: 'string' },
  clients: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'string' },
});
const seed = values.seed ?? String(Date.now());
const share = Number(values.share ?? 1);
const minutes = atLeastOne(values.minutes, 24 * 60);
const clients = atLeastOne(values.clients, 6);

/** Faults of each lane between two checks. */
const FAULTS_A_TRIAL = 10;
/** Replaces the cluster after this many calls, because each trial checks all calls of a cluster. */
const CALLS_A_CLUSTER = 6_000;

interface Run {
  readonly tallies: readonly Tally[];
  readonly violations: string[];
  readonly endedAfterMs: number[];
  readonly indexedAfterMs: number[];
  readonly slowestCallMs: number[];
  readonly seen: ReturnType<typeof countsOf>[];
  logs?: string;
}

process.exitCode = await main();

/**
 * Injects every fault that a promise requires, as often as required, in trials of several. Each
 * trial ends with a quiet phase and all checks.
 */
async function main(): Promise<number> {
  const begun = performance.now();
  const until = begun + minutes * 60_000;
  const only = values.only ?? '';
  let failing: Arena['failing'] | undefined;
  const plan = planOf(only, share, () => {
    if (!failing) throw new Error('no cluster is there');
    return failing;
  });
  if (!plan || !(share > 0 && share <= 1)) {
    process.stderr.write(`usage: ${USAGE}\n${PROMISES.join(', ')} ask for a volume; a share is above 0, at most 1.\n`);
    return 2;
  }
  const group = values.group ? ` --group ${values.group}` : '';
  const repeat = `npm run lab -- volume --only ${only} --share ${share}${group} --clients ${clients} --seed ${seed}`;
  console.log(`volume: ${clients} clients, seed ${seed}; repeat with ${repeat}`);
  console.log(`settings: ${JSON.stringify({ ...SHORT_TIMES, ...plan.settings, ...plan.postgres })}`);
  const random = seeded(seed);
  const groups = values.group ? plan.groups.slice(Number(values.group) - 1, Number(values.group)) : plan.groups;
  const run: Run = {
    tallies: groups.map((lanes: readonly Lane[]) => new Tally(lanes)),
    violations: [],
    endedAfterMs: [],
    indexedAfterMs: [],
    slowestCallMs: [],
    seen: [],
  };
  const goesOn = () =>
    run.violations.length === 0 && performance.now() < until && run.tallies.some((tally) => !tally.isDone);
  for (let clusters = 0; goesOn(); clusters += 1) {
    const own = random.branch(`cluster ${clusters}`);
    await using arena = await startArena({ gateways: 3, operations: 3, clients, random: own, ...picked(plan) });
    failing = arena.failing;
    for (let trials = 0; goesOn() && arena.attempts.length < CALLS_A_CLUSTER; trials += 1)
      await tryOnce(arena, plan, run, own.branch(`trial ${trials}`), `trial${trials}`);
    run.seen.push(countsOf(arena));
    if (run.violations.length === 0) continue;
    arena.cluster.servers.keepFiles();
    run.logs = arena.cluster.servers.directory;
  }
  return await conclude(run, repeat, (performance.now() - begun) / 1_000);
}

function picked({ settings, postgres, failsOver = false }: Plan) {
  return { ...(settings && { settings }), ...(postgres && { postgres }), failsOver };
}

async function tryOnce(arena: Arena, plan: Plan, run: Run, random: Random, name: string): Promise<void> {
  const tally = run.tallies.find(({ isDone }) => !isDone);
  if (!tally) return;
  const before = arena.attempts.length;
  const faultsBefore = tally.answeredAgainMs.length;
  const breakThings = () => tally.make(FAULTS_A_TRIAL, arena, random);
  const end = await runTrial(arena, random, { name, breakThings, excused: plan.excused });
  const took = arena.attempts.slice(before).map(({ sentAt, receivedAt }) => receivedAt - sentAt);
  const slowest = took.reduce((most, ms) => Math.max(most, ms), 0);
  run.endedAfterMs.push(end.endedAfterMs);
  run.indexedAfterMs.push(end.indexedAfterMs);
  run.slowestCallMs.push(slowest);
  run.violations.push(...end.violations);
  if (slowest > (plan.answeredWithinMs ?? Number.POSITIVE_INFINITY))
    run.violations.push(`a call took ${slowest} ms, of ${plan.answeredWithinMs} that it may`);
  const again = tally.answeredAgainMs.slice(faultsBefore).reduce((most, ms) => Math.max(most, ms), 0);
  if (again > (plan.answeredAgainWithinMs ?? Number.POSITIVE_INFINITY))
    run.violations.push(`no result for ${again} ms after a fault, of ${plan.answeredAgainWithinMs} that it may take`);
  if (end.endedAfterMs > (plan.endedWithinMs ?? Number.POSITIVE_INFINITY))
    run.violations.push(
      `all ended after ${Math.round(end.endedAfterMs)} ms, of ${plan.endedWithinMs} that it may take`,
    );
  const missed = end.faults.filter((fault) => fault.endsWith('without effect')).length;
  console.log(
    `${new Date().toISOString()} ${end.faults.length - missed} faults, ${missed} without effect, ${took.length} calls; ${show(tally)}; ` +
      `ended ${Math.round(end.endedAfterMs)} ms, indexed ${Math.round(end.indexedAfterMs)} ms after healing, ` +
      `answered again at most ${again} ms, slowest call ${slowest} ms; ${end.violations.length} violations`,
  );
}

async function conclude(run: Run, repeat: string, seconds: number): Promise<number> {
  const sum = (of: (counts: Run['seen'][number]) => number) => run.seen.reduce((total, one) => total + of(one), 0);
  const statuses: Record<string, number> = {};
  for (const one of run.seen)
    for (const [status, count] of Object.entries(one.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
  const report = {
    command: repeat,
    date: new Date().toISOString(),
    seconds: Math.round(seconds),
    trials: run.endedAfterMs.length,
    clusters: run.seen.length,
    faults: Object.assign({}, ...run.tallies.map(({ counts }) => counts)),
    calls: sum(({ calls }) => calls),
    statuses,
    operations: sum(({ operations }) => operations),
    kills: sum(({ kills }) => kills),
    crashes: sum(({ crashes }) => crashes),
    endedAfterMs: spread(run.endedAfterMs),
    indexedAfterMs: spread(run.indexedAfterMs),
    answeredAgainMs: spread(run.tallies.flatMap(({ answeredAgainMs }) => answeredAgainMs)),
    slowestCallMs: spread(run.slowestCallMs),
    violations: run.violations,
  };
  for (const violation of run.violations.slice(0, 40)) console.log(violation);
  console.log(JSON.stringify({ ...report, violations: run.violations.length }));
  for (const tally of run.tallies) console.log(show(tally));
  if (values.json) await writeFile(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
  if (run.logs) console.log(`logs are in ${run.logs}; repeat with ${repeat}`);
  return run.violations.length === 0 ? 0 : 1;
}

function show({ counts }: Tally): string {
  return Object.entries(counts)
    .map(([name, { made, asked }]) => `${name} ${made}/${asked}`)
    .join(', ');
}

function spread(all: readonly number[]) {
  const at = (of: number) => Math.round(percentile(all, of));
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
