import { setTimeout as pause } from 'node:timers/promises';
import { type Random, seeded } from '../../support/random.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { openOpenSearch } from '../support/opensearch.ts';
import { type Arena, countsOf, SHORT_TIMES, startArena } from './chaos/arena.ts';
import { type Fault, faultsOf } from './chaos/faults.ts';
import { runTrial } from './chaos/trial.ts';

const USAGE = 'npm run lab -- chaos [--seed S] [--minutes M] [--only R7] [--clients N] [--opensearch URL]';
const { values } = readArguments(USAGE, {
  seed: { type: 'string' },
  minutes: { type: 'string' },
  only: { type: 'string' },
  clients: { type: 'string' },
  opensearch: { type: 'string' },
});
const seed = values.seed ?? String(Date.now());
const minutes = atLeastOne(values.minutes, 5);
const clients = atLeastOne(values.clients, 8);

const FAULTS_A_TRIAL = 2;
const PAUSE_AFTER_FAULT_MS = 2_000;

process.exitCode = await main();

async function main(): Promise<number> {
  const only = values.only ? ` --only ${values.only}` : '';
  const where = values.opensearch ? ` --opensearch ${values.opensearch}` : '';
  const repeat = `npm run lab -- chaos --seed ${seed} --minutes ${minutes} --clients ${clients}${only}${where}`;
  console.log(`chaos: seed ${seed}, ${minutes} minutes, ${clients} clients; repeat with ${repeat}`);
  console.log(`settings: ${JSON.stringify(SHORT_TIMES)}`);
  const random = seeded(seed);
  await using index = values.opensearch === undefined ? undefined : await openOpenSearch(values.opensearch);
  await using arena = await startArena({
    gateways: 3,
    operations: 2,
    clients,
    random,
    settings: index?.settings ?? {},
  });
  const choices = faultsOf(() => arena.failing).filter(({ promise }) => !values.only || promise === values.only);
  if (choices.length === 0) throw new Error(`no fault tries ${values.only}`);
  const violations: string[] = [];
  const made = new Map<string, number>();
  let trials = 0;
  for (const deadline = Date.now() + minutes * 60_000; Date.now() < deadline && violations.length === 0; trials += 1) {
    const own = random.branch(`trial ${trials}`);
    const breakThings = () => breakSome(arena.cluster, choices, made, own);
    const end = await runTrial(arena, own, { name: `trial${trials}`, breakThings });
    violations.push(...end.violations);
    const times = `ended ${Math.round(end.endedAfterMs)} ms, indexed ${Math.round(end.indexedAfterMs)} ms after healing`;
    console.log(`trial ${trials}: ${end.faults.join('; ')}: ${times}; ${end.violations.length} violations`);
  }
  console.log(`with effect: ${[...made].map(([name, times]) => `${name} ${times}`).join(', ')}`);
  return conclude(arena, trials, violations, repeat);
}

async function breakSome(
  cluster: Cluster,
  choices: readonly Fault[],
  made: Map<string, number>,
  random: Random,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (let at = 0; at < FAULTS_A_TRIAL; at += 1) {
    const fault = random.pick(choices);
    const effect = await fault.run(cluster, random);
    if (effect !== undefined) made.set(fault.name, (made.get(fault.name) ?? 0) + 1);
    faults.push(`${fault.name} ${effect ?? 'without effect'}`.trim());
    await pause(PAUSE_AFTER_FAULT_MS * random.next());
  }
  return faults;
}

function conclude(arena: Arena, trials: number, violations: readonly string[], repeat: string): number {
  const { calls, statuses, operations, kills, crashes, answersLost } = countsOf(arena);
  for (const violation of violations.slice(0, 40)) console.log(violation);
  console.log(
    `${trials} trials, ${calls} calls ${JSON.stringify(statuses)}, ${operations} operations seen, ${kills} kills, ${crashes} crash points, ${answersLost} answers lost between services, ${violations.length} violations`,
  );
  if (violations.length > 0) {
    const { servers } = arena.cluster;
    servers.keepFiles();
    console.log(`logs are in ${servers.directory}; repeat with ${repeat}`);
  }
  return violations.length === 0 ? 0 : 1;
}
