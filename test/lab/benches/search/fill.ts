import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import type { GeneratedRecord } from './generated-record.ts';
import { positionAt } from './positions.ts';

export interface Filled {
  readonly observations: number;
  readonly seconds: number;
}

/** Changes that a single reader reads at once. */
const BATCH = 2000;

/** Fills an index and continues an interrupted run. An error from `onFilled` aborts it. */
export async function fill(
  index: ObservationIndex,
  record: GeneratedRecord,
  onFilled: (share: number) => void,
): Promise<Filled> {
  const list = <T>(from: number, total: number, make: (at: number) => T) =>
    Array.from({ length: Math.max(0, Math.min(BATCH, total - from)) }, (_, offset) => make(from + offset));
  const begun = performance.now();
  let from = (await index.feedState()).live;
  const first = writtenUpTo(from);
  for (let at = first; at < record.observations; at += BATCH) {
    const to = positionAt(at + 1);
    await index.apply(
      {
        observations: list(at, record.observations, record.observation),
        companies: list(at, record.companies, record.company),
        range: { feed: 'live', from, to, complete: at + BATCH >= record.observations },
      },
      1n,
    );
    from = to;
    onFilled(Math.min(1, (at + BATCH) / record.observations));
  }
  const seconds = (performance.now() - begun) / 1000;
  await index.refreshStatistics();
  return { observations: Math.max(0, record.observations - first), seconds };
}

/** The number of observations in an index whose fill has reached a position. */
function writtenUpTo(position: ChangePosition | undefined): number {
  return position ? Number(position.tx) - 1 + BATCH : 0;
}
