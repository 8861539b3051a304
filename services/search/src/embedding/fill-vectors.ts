import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import type { Leases } from '@ces/chassis/postgres/lease';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@connectrpc/connect';
import { distinct, readPage } from '../changes/read-page.ts';
import { createCircuit } from '../endpoint/circuit.ts';
import { EndpointFailure } from '../endpoint/endpoint.ts';
import type { Embedder } from './embedder.ts';
import { digestOf, observationText, quantise } from './observation-vector.ts';
import {
  type ObservationVector,
  readUnchanged,
  readVectorFeed,
  type VectorBatch,
  writeVectors,
} from './vector-table.ts';

export interface VectorFilling {
  readonly embedder: Embedder;
  readonly pool: Pool;
  readonly leases: Leases;
  readonly lookup: Client<typeof LookupService>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lookEveryMs?: number | undefined;
}

const GAUGES = {
  'ces.vectors.lag': { unit: 's', description: 'Time since all observations of the record last had a vector.' },
} as const;

const LEASE = 'vectors';
const LOOK_EVERY_MS = 1_000;
const CHANGES = 128;
const TEXTS = 32;
/** A busy machine leaves little time to the lowest priority. */
const TEXTS_WITHIN_MS = 600_000;

/** Embeds observations in change order, on one replica at a time. A new model restarts it. */
export function startVectorFilling(filling: VectorFilling): AsyncDisposable {
  const { leases, logger, clock, lookEveryMs = LOOK_EVERY_MS } = filling;
  const circuit = createCircuit(clock);
  let caughtUpAt: number | undefined;
  const resources = new AsyncDisposableStack();
  resources.use(
    observeGauges(
      GAUGES,
      async () =>
        caughtUpAt === undefined
          ? []
          : [{ gauge: 'ces.vectors.lag', value: (performance.now() - caughtUpAt) / 1_000 } as const],
      logger,
    ),
  );
  resources.use(
    startLeaderTask(leases, {
      name: 'making vectors of observations',
      lease: LEASE,
      everyMs: lookEveryMs,
      immediately: true,
      logger,
      async run({ fence, signal }) {
        caughtUpAt ??= performance.now();
        try {
          while (circuit.mayAsk()) {
            const hasMore = await fillPage(filling, fence, signal);
            circuit.succeeded();
            if (!hasMore) {
              caughtUpAt = performance.now();
              return;
            }
          }
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof EndpointFailure)) throw error;
          circuit.failed();
          logger.warn({ reason: error.message }, 'no vectors could be made; tried again');
        }
      },
      onEnd: async () => {
        caughtUpAt = undefined;
      },
    }),
  );
  return resources;
}

async function fillPage(filling: VectorFilling, fence: bigint, signal: AbortSignal): Promise<boolean> {
  const { pool, lookup, embedder } = filling;
  const { model } = embedder;
  const after = await readVectorFeed(pool, model);
  const page = await readPage(lookup, CHANGES, after, signal);
  if (!page) return false;
  const write = (batch: Omit<VectorBatch, 'model'>) => writeVectors(pool, { model, ...batch }, fence);
  /* After a restore the list restarts. Digests identify unchanged texts. */
  if (page.lost) return await write({ vectors: [], gone: [], to: undefined });
  const { to, hasMore } = page;
  if (to.tx === after?.tx && to.seq === after.seq && to.epoch === after.epoch) return false;
  const ids = distinct(page.changes.map(({ observationId }) => observationId));
  const { observations } = await lookup.getDocuments({ observationIds: ids }, { signal });
  const { gone = [], present = [] } = Object.groupBy(observations, ({ tombstone }) => (tombstone ? 'gone' : 'present'));
  const vectors = await makeVectors(filling, present, signal);
  return (await write({ vectors, gone: gone.map(({ id }) => id), to })) && hasMore;
}

/** A refused text stays without a vector. If all are refused, the page is tried again. */
async function makeVectors(
  { pool, embedder, logger }: VectorFilling,
  observations: readonly ObservationDocument[],
  signal: AbortSignal,
): Promise<ObservationVector[]> {
  const texts = new Map(observations.map((document) => [document.id, observationText(document)]));
  const digests = new Map([...texts].map(([id, text]) => [id, digestOf(text)]));
  const unchanged = await readUnchanged(pool, digests, embedder.model);
  const changed = [...texts].filter(([id]) => !unchanged.has(id));
  const vectors = new Map<bigint, Float32Array>();
  for (let at = 0; at < changed.length; at += TEXTS)
    for (const [id, vector] of await embedAccepted(embedder, changed.slice(at, at + TEXTS), signal))
      vectors.set(id, vector);
  const refused = changed.length - vectors.size;
  if (refused > 0) {
    if (vectors.size === 0) throw new EndpointFailure('it refused all texts');
    logger.warn({ refused }, 'the embedding endpoint refused texts: these observations are ranked by words');
  }
  return [...vectors].map(([observationId, vector]) => ({
    observationId,
    digest: digests.get(observationId) ?? Buffer.alloc(0),
    vector: quantise(vector),
  }));
}

type TextOf = readonly [observationId: bigint, text: string];

/** Halves a refused batch until only the texts that the endpoint does not accept are left out. */
async function embedAccepted(
  embedder: Embedder,
  texts: readonly TextOf[],
  signal: AbortSignal,
): Promise<readonly (readonly [bigint, Float32Array])[]> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TEXTS_WITHIN_MS)]);
    const vectors = await embedder.embed(
      texts.map(([, text]) => text),
      'passage',
      limited,
    );
    return texts.map(([id], index) => [id, vectors[index] ?? new Float32Array()]);
  } catch (error) {
    if (!(error instanceof EndpointFailure && error.isRefusal)) throw error;
    if (texts.length <= 1) return [];
    const middle = Math.ceil(texts.length / 2);
    const first = await embedAccepted(embedder, texts.slice(0, middle), signal);
    return [...first, ...(await embedAccepted(embedder, texts.slice(middle), signal))];
  }
}
