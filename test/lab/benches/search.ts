import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startProgress } from '@ces/cli/output/progress';
import { Refusal } from '@ces/cli/refusal';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { openKeptDatabase, openOwnDatabase } from '../support/index-database.ts';
import { openSearchAddress } from '../support/opensearch.ts';
import { configureEngine, engineNamed, type SearchEngine } from '../support/search-engine.ts';
import { memoryOf } from './search/costs.ts';
import { askInCrowds, type Crowd } from './search/crowd.ts';
import { type FilterClass, filterClasses } from './search/filter-classes.ts';
import { type GeneratedRecord, generateRecord } from './search/generated-record.ts';
import { fillOwn, type OwnEngines } from './search/own-engine.ts';
import { type Answers, askAll } from './search/questions.ts';
import { answersTable, type OwnSeen, report } from './search/report.ts';

const USAGE =
  'npm run lab -- search [--size 100k|1m|10m|…] [--queries N] [--engines memory,opensearch] [--opensearch URL] [--keep DIRECTORY] [--memory-index-mib MIB] [--json FILE]';

const { values: options } = readArguments(USAGE, {
  size: { type: 'string', default: '100k' },
  queries: { type: 'string' },
  engines: { type: 'string' },
  opensearch: { type: 'string' },
  keep: { type: 'string' },
  'memory-index-mib': { type: 'string' },
  json: { type: 'string' },
});

await runBenchmark(measure, options.json);

/** Measures generated queries on each index and over RPC, by one client and by crowds. */
async function measure(signal: AbortSignal): Promise<Figures> {
  const size = readSize(options.size);
  const now = options.keep ? await keptMoment(options.keep, size) : new Date();
  const record = generateRecord(size, now);
  const queries = record.queries(atLeastOne(options.queries, 200));
  const classes = filterClasses(now);
  await using stack = new AsyncDisposableStack();
  using progress = startProgress(process.stderr, 'search');
  const onFilled = (name: string) => (share: number) => {
    goOn(signal);
    progress.at(`filling ${name}`, share);
  };
  const own = await fillAll(record, stack, onFilled);
  const answers: Answers[] = [];
  for (const within of classes) {
    progress.at(within.name, answers.length / (2 * own.length * classes.length));
    for (const { index, rpc, clock } of own)
      for (const engine of [index, rpc]) {
        goOn(signal);
        answers.push(await askAll({ engine, clock }, queries, within));
      }
    // Shows partial results in case a long run fails.
    process.stderr.write(`\n${answersTable(answers.filter((one) => one.within === within.name))}\n`);
  }
  progress.at('crowds', 1);
  const seen: OwnSeen[] = [];
  for (const one of own) {
    const { name, rpc, bytes, filled, loadedAfterSeconds, loadedFromFileSeconds, serviceBytes, serverPid } = one;
    const busy = await askWhileEvidenceArrives(one, queries, classes, signal);
    seen.push({
      ...{ name, rpc: rpc.name, bytes, loadedAfterSeconds, loadedFromFileSeconds, serviceBytes, ...busy },
      filledPerSecond: filled.observations > 0 ? filled.observations / filled.seconds : undefined,
      serverBytes: serverPid === undefined ? undefined : memoryOf(serverPid),
      added: await one.add(),
    });
  }
  return report(size, answers, seen);
}

function readSize(text: string): number {
  const [, count, multiple = ''] = /^([1-9]\d{0,2})([km])$/.exec(text) ?? [];
  if (count === undefined) throw new Refusal(`--size is a number of thousands or millions, as 100k or 1m: ${USAGE}`);
  return Number(count) * (multiple === 'k' ? 1_000 : 1_000_000);
}

/** The `now` of a kept record. It is stored once, so that an interrupted fill can continue. */
async function keptMoment(directory: string, size: number): Promise<Date> {
  const file = path.join(directory, `record-of-${size}`);
  await mkdir(directory, { recursive: true });
  await writeFile(file, new Date().toISOString(), { flag: 'wx' }).catch(() => undefined);
  return new Date(await readFile(file, 'utf8'));
}

function engineNames(): SearchEngine[] {
  if (options.engines) return options.engines.split(',').map(engineNamed);
  return ['memory', ...(openSearchAddress(options.opensearch) ? (['opensearch'] as const) : [])];
}

/** Fills all engines from one database. */
async function fillAll(
  record: GeneratedRecord,
  stack: AsyncDisposableStack,
  onFilled: (name: string) => (share: number) => void,
): Promise<readonly OwnEngines[]> {
  const database = stack.use(await (options.keep ? openKeptDatabase(options.keep) : openOwnDatabase()));
  const memoryIndexMib = options['memory-index-mib'] === undefined ? undefined : Number(options['memory-index-mib']);
  const kept = options.keep && String(record.observations);
  const own: OwnEngines[] = [];
  for (const name of engineNames()) {
    const configured = stack.use(await configureEngine(name, { memoryIndexMib, openSearch: options.opensearch, kept }));
    own.push(stack.use(await fillOwn(record, { database, configured }, onFilled(name))));
  }
  return own;
}

async function askWhileEvidenceArrives(
  own: OwnEngines,
  queries: readonly (readonly string[])[],
  classes: readonly FilterClass[],
  signal: AbortSignal,
): Promise<Pick<OwnSeen, 'crowds' | 'arrivedPerSecond'>> {
  const crowds: Crowd[] = [];
  await using arrivals = own.startArrivals();
  for (const within of classes) {
    goOn(signal);
    crowds.push(...(await askInCrowds(own.rpc, queries, within)));
  }
  return { crowds, arrivedPerSecond: arrivals.perSecond() };
}
