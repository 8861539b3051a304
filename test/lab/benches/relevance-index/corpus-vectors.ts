import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { KINDS } from '@ces/proto/catalog';
import type { ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { PlanSchema, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Embedder } from '@ces/search/embedding/embedder';
import { digestOf, observationText, quantise } from '@ces/search/embedding/observation-vector';
import { writeVectors } from '@ces/search/embedding/vector-table';
import type { CorpusIndex } from './corpus-index.ts';

const TEXTS = 32;
const ROWS = 1_000;
const WITHIN_MS = 600_000;
const WAIT_MS = 200;
const ALMOST_EQUAL = 0.999;

/** Vectors of all observations by id. `file` caches them between runs. */
export async function corpusVectors(
  observations: readonly ObservationDocument[],
  embedder: Embedder,
  file: string | undefined,
): Promise<Map<bigint, Int8Array>> {
  if (file !== undefined && existsSync(file)) return readKept(observations, await readFile(file));
  const vectors = new Map<bigint, Int8Array>();
  const began = performance.now();
  for (let at = 0; at < observations.length; at += TEXTS) {
    const share = observations.slice(at, at + TEXTS);
    const made = await embedder.embed(share.map(observationText), 'passage', AbortSignal.timeout(WITHIN_MS));
    for (const [index, { id }] of share.entries()) vectors.set(id, quantise(made[index] ?? new Float32Array()));
    if (at % (TEXTS * 100) === 0) console.error(`${at} of ${observations.length} observations have vectors`);
  }
  const seconds = (performance.now() - began) / 1_000;
  console.log(
    `${observations.length} vectors in ${seconds.toFixed(0)} s (${(observations.length / seconds).toFixed(0)}/s)`,
  );
  if (file !== undefined) await writeFile(file, Buffer.concat(observations.map(({ id }) => bytesOf(vectors.get(id)))));
  return vectors;
}

function bytesOf(vector: Int8Array = new Int8Array()): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The file contains vectors of equal length in corpus order. */
function readKept(observations: readonly ObservationDocument[], bytes: Buffer): Map<bigint, Int8Array> {
  const length = bytes.length / observations.length;
  if (!Number.isInteger(length)) throw new Error('these vectors are not of this corpus');
  return new Map(
    observations.map(({ id }, at) => [id, new Int8Array(bytes.buffer, bytes.byteOffset + at * length, length)]),
  );
}

/** Writes the vectors to the index and waits until its searches use them. */
export async function keepVectors(
  { pool, index }: Pick<CorpusIndex, 'pool' | 'index'>,
  model: string,
  vectors: ReadonlyMap<bigint, Int8Array>,
): Promise<void> {
  const rows = [...vectors].map(([observationId, vector]) => ({ observationId, digest: digestOf(''), vector }));
  for (let at = 0; at < rows.length; at += ROWS)
    await writeVectors(pool, { model, vectors: rows.slice(at, at + ROWS), gone: [], to: undefined }, 1n);
  const last = rows.at(-1);
  while (last && !(await findsByMeaning(index, model, last))) await pause(WAIT_MS);
}

/** Vectors are read in the order of writing, so the last one comes last. */
async function findsByMeaning(
  index: CorpusIndex['index'],
  model: string,
  { observationId, vector }: { readonly observationId: bigint; readonly vector: Int8Array },
): Promise<boolean> {
  const plan = create(PlanSchema, { activity: [{ words: ['zzz'], weight: 1 }] });
  const filters = create(SearchFiltersSchema, { kinds: [...KINDS] });
  const meaning = { model, vector, weight: 1, findsFrom: ALMOST_EQUAL };
  const limits = { companies: 10, observationsPerCompany: 10, explain: false, timeoutMs: undefined };
  const { hits } = await index.rank({ plan, filters, ...limits, meaning });
  return hits.some((hit) => hit.observationId === observationId);
}
