import { setTimeout as pause } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type ChangePosition,
  type ObservationDocument,
  ObservationDocumentSchema,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import type { GeneratedRecord } from './generated-record.ts';
import { positionAt } from './positions.ts';

export interface Arrivals extends AsyncDisposable {
  readonly seen: () => { readonly count: number; readonly perSecond: number };
  readonly end: () => Promise<void>;
}

const A_SECOND = 200;
const BATCHES_A_SECOND = 4;
const AGAIN_AFTER_MS = 1_000;
const ATTEMPTS = 60;

/**
 * Adds A_SECOND observations of today to the index a second. `forget` withdraws them.
 */
export function startArrivals(
  index: ObservationIndex,
  record: GeneratedRecord,
  forget: (above: number) => Promise<void>,
): Arrivals {
  const closing = new AbortController();
  const begun = performance.now();
  let count = 0;
  let arrived = 0;
  const arrive = async () => {
    const { live } = await index.feedState();
    for (let tick = 1; !closing.signal.aborted; tick += 1) {
      const observations = Array.from({ length: A_SECOND / BATCHES_A_SECOND }, () => {
        count += 1;
        return arrival(record, count);
      });
      const to = positionAt(Number(live?.tx ?? 0n) + tick);
      await applyPatiently(index, observations, to);
      arrived += observations.length;
      const due = begun + (count / A_SECOND) * 1000;
      await pause(Math.max(0, due - performance.now()), undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const running = arrive();
  /* `end` reports the error. */
  running.catch(() => undefined);
  let ended: number | undefined;
  const end = async () => {
    closing.abort();
    ended ??= performance.now();
    await running;
  };
  return {
    seen: () => ({ count: arrived, perSecond: arrived / (((ended ?? performance.now()) - begun) / 1000) }),
    end,
    async [Symbol.asyncDispose]() {
      await end();
      await forget(record.observations);
    },
  };
}

/**
 * Retries while the engine is overloaded, as the projector does, which delays later observations.
 */
async function applyPatiently(
  index: ObservationIndex,
  observations: readonly ObservationDocument[],
  to: ChangePosition,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      const from = (await index.feedState()).live;
      return await index.apply({ observations, companies: [], range: { feed: 'live', from, to, complete: true } }, 1n);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await pause(AGAIN_AFTER_MS);
    }
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
