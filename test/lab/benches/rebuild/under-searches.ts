import { setTimeout as pause } from 'node:timers/promises';
import { startArrivals } from '../search/arrivals.ts';
import type { Engine } from '../search/engine.ts';
import type { Filled } from '../search/fill.ts';
import { applyByPartition, FENCE, type SharedFill } from '../search/fill-by-partition.ts';
import { type FilterClass, filterClasses } from '../search/filter-classes.ts';
import type { GeneratedRecord } from '../search/generated-record.ts';
import { enginesOfIndex } from '../search/index-engine.ts';
import { overlapOf } from '../search/questions.ts';

export interface Rebuilt {
  readonly applied: Filled;
  /** Time from the last document until searches use the rebuilt index. */
  readonly switchSeconds: number;
  /** One client. During the rebuild it pauses two seconds between searches. */
  readonly before: Searches;
  readonly meanwhile: Searches;
  /** Share of the first results before that are among the first results after. */
  readonly overlap: number | undefined;
  readonly arrived: number;
  readonly more: number;
  readonly bytes: readonly [bigint, bigint];
}

/** Durations in ms. */
export interface Searches {
  readonly times: readonly number[];
  readonly failed: readonly string[];
}

export interface UnderSearches {
  readonly shared: SharedFill;
  readonly record: GeneratedRecord;
  readonly queries: readonly (readonly string[])[];
  readonly forget: (above: number) => Promise<void>;
}

type Question = readonly [words: readonly string[], within: FilterClass];

const BETWEEN_MS = 2_000;
/** Observations a second, which is 1.7 million a day. */
const ARRIVING = 20;

/** Rebuilds a full index in partitions. An error from `onRebuilt` aborts the rebuild. */
export async function rebuildUnderSearches(
  { shared, record, queries, forget }: UnderSearches,
  onRebuilt: (share: number) => void,
): Promise<Rebuilt> {
  const { index, partitions } = shared;
  const { withContext: engine } = enginesOfIndex('index', index);
  const classes = filterClasses(record.now);
  const questions = queries.flatMap((words) => classes.map((within): Question => [words, within]));
  const answers = await answerAll(engine, questions);
  const before = await ask(engine, questions.values());
  const size = await index.size();
  await index.beginRebuild();
  await index.repartition(partitions, FENCE);
  await using arrivals = startArrivals(index, record, forget, { partitions, perSecond: ARRIVING });
  const ending = new AbortController();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => ending.abort());
  const asking = ask(engine, untilAborted(questions, ending.signal), BETWEEN_MS);
  const applied = await applyByPartition(shared, record, 'rebuild', onRebuilt);
  const begun = performance.now();
  if (!(await index.finishRebuild(FENCE))) throw new Error('the rebuild did not end');
  const switchSeconds = (performance.now() - begun) / 1000;
  ending.abort();
  const meanwhile = await asking;
  await index.repartition(partitions, FENCE);
  await arrivals.end();
  const grown = await index.size();
  await forget(record.observations);
  const after = await answerAll(engine, questions);
  await index.repartition(1, FENCE);
  return {
    applied,
    switchSeconds,
    before,
    meanwhile,
    overlap: overlapOf(answers, after),
    arrived: arrivals.seen().count,
    more: Number(grown.observations - size.observations),
    bytes: [size.bytes, grown.bytes],
  };
}

async function answerAll(engine: Engine, questions: readonly Question[]): Promise<(readonly number[])[]> {
  const answers: (readonly number[])[] = [];
  for (const [words, within] of questions) answers.push((await engine.ask(words, within)).ids());
  return answers;
}

async function ask(engine: Engine, questions: Iterable<Question>, betweenMs = 0): Promise<Searches> {
  const times: number[] = [];
  const failed: string[] = [];
  for (const [words, within] of questions) {
    const begun = performance.now();
    await engine.ask(words, within).catch((error: unknown) => failed.push(String(error)));
    times.push(performance.now() - begun);
    await pause(betweenMs);
  }
  return { times, failed };
}

function* untilAborted(questions: readonly Question[], signal: AbortSignal): Generator<Question> {
  while (!signal.aborted)
    for (const question of questions) {
      if (signal.aborted) return;
      yield question;
    }
}
