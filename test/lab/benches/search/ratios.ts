import { percentile } from '../../support/figures.ts';
import { type Answers, timesOf } from './questions.ts';

/** What one of the service's own engines takes in terms of another inside a filter class. */
export interface Ratio {
  readonly within: string;
  readonly ours: string;
  readonly theirs: string;
  readonly p50: number;
  readonly p95: number;
  /** Of processor time at p50, which a busy machine does not drive; for tantivy with what its pipe takes. */
  readonly processor: number;
  /** What p50 and p95 should be at most; undefined where nothing is aimed at. */
  readonly aim: number | undefined;
}

/** Names of engines that something is aimed at in terms of. */
const TANTIVY = 'tantivy with context';
const FTS5 = 'SQLite FTS5';
/** At this size nothing should be slower than SQLite FTS5, whether or not that looks at profiles. */
const SIZE_OF_FTS5 = 100_000;
/** In terms of tantivy, both with context. */
const AIMS: ReadonlyMap<string, number> = new Map([
  ['30 days', 1],
  ['30 days, kind, country', 1],
  ['kind, country', 1.5],
  ['no filter', 3],
]);

/** Compares with context what has it, without what has none, and with SQLite FTS5 without context everything. */
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
