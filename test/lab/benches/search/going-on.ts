import { create } from '@bufbuild/protobuf';
import { ObservationDocumentSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import type { GeneratedRecord } from './generated-record.ts';
import { positionAt } from './positions.ts';
import type { ProcessorClock } from './processor-clock.ts';

export interface GoingOn {
  readonly perSecond: number;
  readonly processorMs: number;
}

const MORE = 20_000;
const BATCH = 2_000;
/** Lower bound of all added ids, for `forget`. */
const FIRST_ID = 1_000_000_000;

export async function measureGoingOn(
  index: ObservationIndex,
  record: GeneratedRecord,
  clock: ProcessorClock,
  forget: (above: number) => Promise<void>,
): Promise<GoingOn> {
  const more = Array.from({ length: MORE }, (_, at) =>
    create(ObservationDocumentSchema, {
      ...record.observation((at * 7919) % record.observations),
      id: BigInt(FIRST_ID + at + 1),
    }),
  );
  let from = (await index.feedState()).live;
  const used = clock();
  const begun = performance.now();
  for (let at = 0; at < MORE; at += BATCH) {
    const to = positionAt(Number(from?.tx ?? 0n) + 1);
    const observations = more.slice(at, at + BATCH);
    await index.apply({ observations, companies: [], range: { feed: 'live', from, to, complete: true } }, 1n);
    from = to;
  }
  const seconds = (performance.now() - begun) / 1000;
  const processorMs = (clock() - used) / MORE;
  await forget(FIRST_ID);
  return { perSecond: MORE / seconds, processorMs };
}
