import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startProgress } from '@ces/cli/output/progress';
import { count, table } from '@ces/cli/output/table';
import { Refusal } from '@ces/cli/refusal';
import { type BuiltEngine, build, type Engine } from './search/engine.ts';
import { type FilterClass, filterClasses } from './search/filter-classes.ts';
import { fillFts5 } from './search/fts5-engine.ts';
import { type GeneratedRecord, generateRecord } from './search/generated-record.ts';
import { fillMiniSearch } from './search/minisearch-engine.ts';
import { fillOwn } from './search/own-engine.ts';
import { atLeastOne, readArguments } from './support/arguments.ts';
import { type Figures, goOn, runBenchmark } from './support/bench.ts';
import { percentile } from './support/figures.ts';

const USAGE = 'npm run bench:search -- [--size 100k|1m|10m] [--queries N] [--alone] [--keep DIRECTORY] [--json FILE]';
const SIZES: Readonly<Record<string, number>> = { '10k': 10_000, '100k': 100_000, '1m': 1_000_000, '10m': 10_000_000 };
const COMPARED = 50;

const { values: options } = readArguments(USAGE, {
  size: { type: 'string', default: '100k' },
  queries: { type: 'string' },
  alone: { type: 'boolean' },
  keep: { type: 'string' },
  json: { type: 'string' },
});

await runBenchmark(measure, options.json);

/** How fast the index and its RPC answer generated queries, beside two other engines filled with the same texts. */
async function measure(signal: AbortSignal): Promise<Figures> {
  const size = SIZES[options.size];
  if (size === undefined) throw new Refusal(`--size is one of ${Object.keys(SIZES).join(', ')}: ${USAGE}`);
  const now = options.keep ? await keptMoment(options.keep, size) : new Date();
  const record = generateRecord(size, now);
  const queries = record.queries(atLeastOne(options.queries, 200));
  await using stack = new AsyncDisposableStack();
  const built = await buildAll(record, stack, signal);
  const rows: Row[] = [];
  using progress = startProgress(process.stderr, 'queries');
  for (const within of filterClasses(now)) {
    const answers = new Map<Engine, (readonly number[])[]>();
    for (const { engine } of built) {
      goOn(signal);
      progress.at(`${within.name}, ${engine.name}`, rows.length / (built.length * 4));
      const { times, found } = await askAll(engine, queries, within);
      answers.set(engine, found);
      rows.push({ within: within.name, engine: engine.name, times, overlap: overlapOf(answers, built, engine) });
    }
  }
  const load = os.loadavg()[0] ?? 0;
  return {
    json: { size, load, built: built.map(buildFigures), rows: rows.map(figuresOf) },
    text: textOf(size, load, built, rows),
  };
}

/** The moment that a kept record counts back from: a folder is filled once, and a fill that was broken off goes on. */
async function keptMoment(directory: string, size: number): Promise<Date> {
  const file = path.join(directory, `record-of-${size}`);
  await mkdir(directory, { recursive: true });
  await writeFile(file, new Date().toISOString(), { flag: 'wx' }).catch(() => undefined);
  return new Date(await readFile(file, 'utf8'));
}

interface Row {
  readonly within: string;
  readonly engine: string;
  readonly times: readonly number[];
  /** Share of the first hits of the index alone that this engine has among its own; undefined where it is not compared. */
  readonly overlap: number | undefined;
}

async function buildAll(record: GeneratedRecord, stack: AsyncDisposableStack, signal: AbortSignal) {
  const begun = performance.now();
  const own = stack.use(await fillOwn(record, options.keep));
  const buildSeconds = (performance.now() - begun) / 1000;
  const built: BuiltEngine[] = [
    { engine: own.raw, buildSeconds, bytes: own.bytes },
    { engine: own.rpc, buildSeconds, bytes: own.bytes },
  ];
  for (const fill of options.alone ? [] : [fillFts5, fillMiniSearch]) {
    goOn(signal);
    const one = await build(record, fill);
    stack.use(one.engine);
    built.push(one);
  }
  return built;
}

/** The first query runs twice, so that none pays for a cold start. */
async function askAll(engine: Engine, queries: readonly (readonly string[])[], within: FilterClass) {
  const times: number[] = [];
  const found: (readonly number[])[] = [];
  await engine.ask(queries[0] ?? [], within);
  for (const words of queries) {
    const begun = performance.now();
    found.push(await engine.ask(words, within));
    times.push(performance.now() - begun);
  }
  return { times, found };
}

function overlapOf(
  answers: ReadonlyMap<Engine, readonly (readonly number[])[]>,
  built: readonly BuiltEngine[],
  engine: Engine,
): number | undefined {
  const [own] = built;
  const ours = own && answers.get(own.engine);
  const theirs = answers.get(engine);
  if (!ours || !theirs || engine === own?.engine || theirs.every((ids) => ids.length === 0)) return undefined;
  const shares = ours.flatMap((ids, at) => {
    const first = new Set(ids.slice(0, COMPARED));
    const other = (theirs[at] ?? []).slice(0, COMPARED);
    return other.length === 0 ? [] : [other.filter((id) => first.has(id)).length / other.length];
  });
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}

function figuresOf({ within, engine, times, overlap }: Row) {
  return {
    within,
    engine,
    p50_ms: percentile(times, 0.5),
    p95_ms: percentile(times, 0.95),
    p99_ms: percentile(times, 0.99),
    overlap_50: overlap,
  };
}

function buildFigures({ engine, buildSeconds, bytes }: BuiltEngine) {
  return { engine: engine.name, build_seconds: buildSeconds, bytes };
}

function textOf(size: number, load: number, built: readonly BuiltEngine[], rows: readonly Row[]): string {
  const engines = built.map(({ engine, buildSeconds, bytes }) => [
    engine.name,
    `${count(Math.round(size / buildSeconds))}/s`,
    `${count(Math.round(bytes / 1_048_576))} MiB`,
  ]);
  const answers = rows
    .map(figuresOf)
    .map((row) => [
      row.within,
      row.engine,
      row.p50_ms.toFixed(1),
      row.p95_ms.toFixed(1),
      row.p99_ms.toFixed(1),
      row.overlap_50?.toFixed(2),
    ]);
  const memory = Math.round(process.memoryUsage().rss / 1_048_576);
  return [
    `${count(size)} observations; load average ${load.toFixed(1)}; this process ${count(memory)} MiB`,
    table(['engine', 'built', 'size'], engines),
    table(['filters', 'engine', 'p50 ms', 'p95 ms', 'p99 ms', `overlap@${COMPARED}`], answers),
  ].join('\n\n');
}
