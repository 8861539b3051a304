import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { table } from '@ces/cli/output/table';
import { assembleOpenSearch } from '../../support/opensearch/assemble.ts';
import { startOpenSearch } from '../../support/opensearch/server.ts';
import { seeded } from '../../support/random.ts';
import { type FaultyProxy, startProxy } from '../cluster/proxy.ts';
import { readArguments } from '../support/arguments.ts';
import { type Arena, openArena, untilWhole } from './opensearch/arena.ts';
import { DRILLS, type Drill } from './opensearch/drills.ts';
import type { Searched } from './opensearch/search-for.ts';
import { type Tally, tallyOf } from './opensearch/tally.ts';
import { runTraffic } from './opensearch/traffic.ts';

const USAGE = 'npm run lab -- opensearch-drills [--only NAME] [--seed S]';
const { values } = readArguments(USAGE, { only: { type: 'string' }, seed: { type: 'string' } });
const seed = values.seed ?? String(Date.now());

const NODES = 2;
const SHARDS = 2;
const WRITES_PER_SECOND = 20;
const SEARCHERS = 3;
/** As in deploy/docs/search-engines.md. */
const SETTINGS = { 'cluster.no_cluster_manager_block': 'all' };
const CALM_MS = 2_000;
const HEALED_WITHIN_MS = 120_000;

interface Trial extends Tally {
  readonly name: string;
  readonly effect: string | undefined;
  /**
   * Time from the end of the fault until every process finds all earlier writes. Undefined on
   * timeout.
   */
  readonly healMs: number | undefined;
  readonly lost: number;
  readonly violations: readonly string[];
}

process.exitCode = await main();

/** Injects cluster faults under searches and writes. Exits with code 1 on any violation. */
async function main(): Promise<number> {
  const repeat = `npm run lab -- opensearch-drills${values.only ? ` --only '${values.only}'` : ''} --seed ${seed}`;
  console.log(`drills of OpenSearch, seed ${seed}; repeat with ${repeat}`);
  const drills = DRILLS.filter(({ name }) => name.includes(values.only ?? ''));
  await assembleOpenSearch();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-opensearch-drills-'));
  await chmod(directory, 0o711);
  const trials: Trial[] = [];
  try {
    for (const copied of [true, false]) {
      const those = drills.filter((drill) => drill.copied === copied);
      if (those.length > 0) trials.push(...(await runAll(those, path.join(directory, copied ? 'copied' : 'bare'))));
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  console.log(`\n${tableOf(trials)}\nload average ${(os.loadavg()[0] ?? 0).toFixed(1)}`);
  const violations = trials.flatMap(({ name, violations }) => violations.map((text) => `${name}: ${text}`));
  for (const violation of violations) console.log(violation);
  console.log(`${trials.length} drills, ${violations.length} violations`);
  return violations.length === 0 ? 0 : 1;
}

async function runAll(drills: readonly Drill[], directory: string): Promise<Trial[]> {
  const random = seeded(seed).branch(path.basename(directory));
  await using stack = new AsyncDisposableStack();
  const between: FaultyProxy[] = [];
  const reachedAt = async (port: number) => {
    const proxy = stack.use(await startProxy(port, random.branch(`between nodes ${between.length}`)));
    between.push(proxy);
    return proxy.port;
  };
  const server = stack.use(await startOpenSearch({ nodes: NODES, directory, reachedAt, settings: SETTINGS }));
  const copies = drills.some(({ copied }) => copied) ? 1 : 0;
  await using arena = await openArena({ server, between, directory, prefix: 'drill-', shards: SHARDS, copies, random });
  const trials: Trial[] = [];
  for (const drill of drills) {
    const trial = await tryDrill(drill, arena);
    trials.push(trial);
    const { endings, healMs, reasons } = trial;
    console.log(
      `${drill.name}: ${trial.effect ?? 'NO EFFECT'}; ${JSON.stringify(endings)}, healed ${healMs ?? 'not'}; ${reasons.join('; ')}`,
    );
    /* Further drills need a healed cluster. */
    if (healMs === undefined) break;
  }
  return trials;
}

async function tryDrill(drill: Drill, arena: Arena): Promise<Trial> {
  const searched: Searched[] = [];
  const stop = new AbortController();
  const load = { writesPerSecond: WRITES_PER_SECOND, searchers: SEARCHERS, random: arena.random.branch(drill.name) };
  const traffic = runTraffic(arena, load, (one) => searched.push(one), stop.signal);
  await pause(CALM_MS);
  const effect = await drill.run(arena).catch((error: Error) => {
    console.log(`${drill.name}: ${error.message}`);
    return undefined;
  });
  const healed = await untilWhole(arena, HEALED_WITHIN_MS);
  await pause(CALM_MS);
  stop.abort();
  await traffic;
  const last = await untilWhole(arena, HEALED_WITHIN_MS);
  const tally = tallyOf([...searched, ...last.searched]);
  const lost = Math.max(0, ...last.searched.map(({ missing }) => missing.length));
  const healMs = healed.problems.length === 0 ? Math.round(healed.ms) : undefined;
  const violations = [
    ...(effect === undefined ? ['the fault had no effect: the drill proves nothing'] : []),
    ...(tally.endings.stale > 0 && tally.staleMs >= (drill.mayBeStaleMs ?? 0)
      ? [`${tally.endings.stale} stale answers within ${Math.round(tally.staleMs)} ms`]
      : []),
    ...(tally.endings.failed > 0 ? [`${tally.endings.failed} searches failed in a way that is not declared`] : []),
    ...(last.problems.length > 0 ? [`not whole in the end: ${last.problems[0]}`] : []),
    ...(healMs === undefined ? [`not healed: ${healed.problems[0]}`] : []),
    ...arena.replicas.filter((one) => one.hasEnded()).map(({ name }) => `${name} has ended`),
    ...(drill.expects?.(tally) ?? []),
  ];
  return { ...tally, name: drill.name, effect, healMs, lost, violations };
}

function tableOf(trials: readonly Trial[]): string {
  return table(
    [
      ...['fault', 'searches', 'ok', 'partial', 'unavailable', 'stale', 'failed'],
      ...['stale for ms', 'longest silence ms', 'lost', 'healed after ms', 'effect'],
    ],
    trials.map(({ name, searches, endings, longestSilenceMs, staleMs, lost, healMs, effect }) => [
      ...[name, searches, endings.ok, endings.partial, endings.unavailable, endings.stale, endings.failed],
      ...[Math.round(staleMs), Math.round(longestSilenceMs), lost, healMs, effect],
    ]),
  );
}
