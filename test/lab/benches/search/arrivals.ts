import { setTimeout as pause } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ObservationDocumentSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import type { GeneratedRecord } from './generated-record.ts';
import { positionAt } from './positions.ts';

/** Observations that keep coming; ends when disposed of. */
export interface Arrivals extends AsyncDisposable {
  /** How many have come, and how many a second. */
  readonly seen: () => { readonly count: number; readonly perSecond: number };
}

const A_SECOND = 200;
const BATCHES_A_SECOND = 4;
const AGAIN_AFTER_MS = 1_000;

/** Adds what is new today to the index, 200 observations a second; `forget` takes it away again. */
export function startArrivals(
  index: ObservationIndex,
  record: GeneratedRecord,
  forget: (above: number) => Promise<void>,
): Arrivals {
  const closing = new AbortController();
  const begun = performance.now();
  let count = 0;
  const arrive = async () => {
    let from = (await index.feedState()).live;
    while (!closing.signal.aborted) {
      const observations = Array.from({ length: A_SECOND / BATCHES_A_SECOND }, () => {
        count += 1;
        return arrival(record, count);
      });
      const to = positionAt(Number(from?.tx ?? 0n) + 1);
      const range = { feed: 'live' as const, from, to, complete: true };
      /* An engine that has too much to do is asked again, as the projector does; what was to come then comes late. */
      while (!closing.signal.aborted)
        try {
          await index.apply({ observations, companies: [], range }, 1n);
          from = to;
          break;
        } catch {
          await pause(AGAIN_AFTER_MS);
        }
      const due = begun + (count / A_SECOND) * 1000;
      await pause(Math.max(0, due - performance.now()), undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const running = arrive();
  let ended: number | undefined;
  return {
    seen: () => ({ count, perSecond: count / (((ended ?? performance.now()) - begun) / 1000) }),
    async [Symbol.asyncDispose]() {
      closing.abort();
      ended = performance.now();
      await running;
      await forget(record.observations);
    },
  };
}

function arrival(record: GeneratedRecord, number: number) {
  const now = timestampFromDate(new Date());
  return create(ObservationDocumentSchema, {
    ...record.observation(number % record.observations),
    id: BigInt(record.observations + number),
    occurredAt: now,
    observedAt: now,
    recordedAt: now,
  });
}
