import { startProgress } from '@ces/cli/output/progress';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { openKeptDatabase, openOwnDatabase } from '../support/index-database.ts';
import { openSearchAddress } from '../support/opensearch.ts';
import { configureEngine, engineNamed, type SearchEngine } from '../support/search-engine.ts';
import { askInCrowds, type Crowd } from './search/crowd.ts';
import type { BuiltEngine } from './search/engine.ts';
import { type FilterClass, filterClasses } from './search/filter-classes.ts';
import { type GeneratedRecord, generateRecord } from './search/generated-record.ts';
import { keptMoment } from './search/kept-moment.ts';
import { fillOwn, type OwnEngines } from './search/own-engine.ts';
import { memoryOf } from './search/processor-clock.ts';
import { type Answers, askEngines } from './search/questions.ts';
import { answersTable, figuresOf, type OwnSeen, textOf } from './search/report.ts';
import { readSize } from './search/sizes.ts';

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

/**
 * Measures generated queries on each index, without and with company context, and over RPC.
 */
async function measure(signal: AbortSignal): Promise<Figures> {
  const size = readSize(options.size, USAGE);
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
  const built = builtOf(own);
  const answers: Answers[] = [];
  for (const within of classes) {
    goOn(signal);
    progress.at(within.name, answers.length / (built.length * classes.length));
    const those = await askEngines(built, queries, within);
    answers.push(...those);
    /* Shows partial results in case a long run fails. */
    process.stderr.write(`\n${answersTable(those)}\n`);
  }
  progress.at('crowds', 1);
  const ownSeen: OwnSeen[] = [];
  for (const one of own) {
    const { name, raw, withContext, rpc, loadedAfterSeconds, serviceMemory, serverPid } = one;
    const engines = [raw.name, withContext.name, rpc.name] as const;
    const busy = await askWhileEvidenceArrives(one, queries, classes, signal);
    const serverBytes = serverPid === undefined ? undefined : memoryOf(serverPid);
    const seen = { name, engines, loadedAfterSeconds, serviceMemory, serverBytes };
    ownSeen.push({ ...seen, ...busy, goingOn: await one.goOn() });
  }
  const seen = { size, built, answers, own: ownSeen };
  return { json: figuresOf(seen), text: textOf(seen) };
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
  return { crowds, arrivedPerSecond: arrivals.seen().perSecond };
}

function builtOf(own: readonly OwnEngines[]): BuiltEngine[] {
  return own.flatMap(({ raw, withContext, rpc, bytes, filled, clock }) => {
    const perSecond = filled.observations > 0 ? filled.observations / filled.seconds : undefined;
    return [raw, withContext, rpc].map((engine) => ({ engine, perSecond, bytes, clock }));
  });
}
