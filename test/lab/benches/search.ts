import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startProgress } from '@ces/cli/output/progress';
import { Refusal } from '@ces/cli/refusal';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { askInCrowds, type Crowd } from './search/crowd.ts';
import { type BuiltEngine, build } from './search/engine.ts';
import { type FilterClass, filterClasses } from './search/filter-classes.ts';
import { fillFts5 } from './search/fts5-engine.ts';
import { type GeneratedRecord, generateRecord } from './search/generated-record.ts';
import { fillMiniSearch } from './search/minisearch-engine.ts';
import { fillOwn, type OwnEngines } from './search/own-engine.ts';
import { memoryOf, processorClock } from './search/processor-clock.ts';
import { type Answers, askEngines } from './search/questions.ts';
import { answersTable, figuresOf, textOf } from './search/report.ts';

const USAGE =
  'npm run lab -- search [--size 100k|1m|10m|…] [--queries N] [--alone] [--keep DIRECTORY] [--copy-memory MIB] [--json FILE]';
const MULTIPLES: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

const { values: options } = readArguments(USAGE, {
  size: { type: 'string', default: '100k' },
  queries: { type: 'string' },
  alone: { type: 'boolean' },
  keep: { type: 'string' },
  'copy-memory': { type: 'string' },
  json: { type: 'string' },
});

await runBenchmark(measure, options.json);

/** How fast the index and its RPC answer generated queries, beside two other engines filled with the same texts. */
async function measure(signal: AbortSignal): Promise<Figures> {
  const size = sizeOf(options.size);
  const now = options.keep ? await keptMoment(options.keep, size) : new Date();
  const record = generateRecord(size, now);
  const queries = record.queries(atLeastOne(options.queries, 200));
  const classes = filterClasses(now);
  await using stack = new AsyncDisposableStack();
  using progress = startProgress(process.stderr, 'search');
  const onFilled = (share: number) => {
    goOn(signal);
    progress.at('filling the index', share);
  };
  const own = stack.use(await fillOwn(record, options.keep, onFilled, options['copy-memory']));
  const built = await buildAll(record, own, stack, signal);
  const clock = processorClock(own.serverPid);
  const answers: Answers[] = [];
  for (const within of classes) {
    goOn(signal);
    progress.at(within.name, answers.length / (built.length * classes.length));
    const those = await askEngines(built, queries, within, clock);
    answers.push(...those);
    /* A long run that breaks off has shown something. */
    process.stderr.write(`\n${answersTable(those)}\n`);
  }
  progress.at('crowds', 1);
  const load = os.loadavg()[0] ?? 0;
  const { crowds, arrivedPerSecond } = await askWhileEvidenceArrives(own, queries, classes, signal);
  const serverBytes = memoryOf(own.serverPid);
  const goingOn = await own.goOn();
  const seen = { goingOn, size, load, built, answers, crowds, arrivedPerSecond, serverBytes };
  return { json: figuresOf(seen), text: textOf(seen) };
}

function sizeOf(text: string): number {
  const [, count, multiple = ''] = /^([1-9]\d{0,2})([km])$/.exec(text) ?? [];
  if (count === undefined) throw new Refusal(`--size is a number of thousands or millions, as 100k or 1m: ${USAGE}`);
  return Number(count) * (MULTIPLES[multiple] ?? 1);
}

async function askWhileEvidenceArrives(
  own: OwnEngines,
  queries: readonly (readonly string[])[],
  classes: readonly FilterClass[],
  signal: AbortSignal,
) {
  const crowds: Crowd[] = [];
  await using arrivals = own.startArrivals();
  for (const within of classes.filter(({ kind }) => kind === undefined)) {
    goOn(signal);
    crowds.push(...(await askInCrowds(own.rpc, queries, within)));
  }
  return { crowds, arrivedPerSecond: arrivals.seen().perSecond };
}

async function buildAll(
  record: GeneratedRecord,
  { raw, withContext, rpc, bytes, filled }: OwnEngines,
  stack: AsyncDisposableStack,
  signal: AbortSignal,
) {
  const perSecond = filled.observations > 0 ? filled.observations / filled.seconds : undefined;
  const built: BuiltEngine[] = [raw, withContext, rpc].map((engine) => ({ engine, perSecond, bytes }));
  for (const fill of options.alone ? [] : [fillFts5, fillMiniSearch]) {
    goOn(signal);
    const one = await build(record, fill);
    stack.use(one.engine);
    built.push(one);
  }
  return built;
}

/** The moment that a kept record counts back from: a folder is filled once, and a fill that was broken off goes on. */
async function keptMoment(directory: string, size: number): Promise<Date> {
  const file = path.join(directory, `record-of-${size}`);
  await mkdir(directory, { recursive: true });
  await writeFile(file, new Date().toISOString(), { flag: 'wx' }).catch(() => undefined);
  return new Date(await readFile(file, 'utf8'));
}
