import { percentile } from '../../support/figures.ts';
import { type Answers, timesOf } from './questions.ts';

/** The durations of one of our engines divided by those of another, in one filter class. */
export interface Ratio {
  readonly within: string;
  readonly ours: string;
  readonly theirs: string;
  readonly p50: number;
  readonly p95: number;
  /** Ratio of processor time at p50, which is independent of load. Tantivy's includes its pipe. */
  readonly processor: number;
  /** Upper bound of the ratios at p50 and p95. Undefined without a target. */
  readonly aim: number | undefined;
}

const TANTIVY = 'tantivy with context';
const FTS5 = 'SQLite FTS5';
/** At this size no engine of ours should be slower than SQLite FTS5, with or without profiles. */
const SIZE_OF_FTS5 = 100_000;
/** Targets relative to tantivy, both with context. */
const AIMS: ReadonlyMap<string, number> = new Map([
  ['30 days', 1],
  ['30 days, kind, country', 1],
  ['kind, country', 1.5],
  ['no filter', 3],
]);

/** Compares engines with the same `hasContext`, and all with SQLite FTS5 without context. */
export function ratiosOf(size: number, answers: readonly Answers[], own: readonly string[]): Ratio[] {
  const isOwn = ({ engine }: Answers) => own.includes(engine);
  return answers.filter(isOwn).flatMap((ours) =>
    answers
      .filter((theirs) => !isOwn(theirs) && theirs.within === ours.within)
      .filter((theirs) => theirs.hasContext === ours.hasContext || theirs.engine === FTS5)
      .map((theirs) => ({
        within: ours.within,
        ours: ours.engine,
        theirs: theirs.engine,
        p50: ratioAt(0.5, timesOf(ours), timesOf(theirs)),
        p95: ratioAt(0.95, timesOf(ours), timesOf(theirs)),
        processor: ratioAt(0.5, ours.processor, theirs.processor),
        aim: aimOf(size, ours, theirs),
      })),
  );
}

function ratioAt(share: number, ours: readonly number[], theirs: readonly number[]): number {
  return percentile(ours, share) / percentile(theirs, share);
}

function aimOf(size: number, { within, hasContext }: Answers, { engine }: Answers): number | undefined {
  if (engine === TANTIVY) return AIMS.get(within);
  return hasContext && engine.startsWith(FTS5) && size === SIZE_OF_FTS5 ? 1 : undefined;
}
