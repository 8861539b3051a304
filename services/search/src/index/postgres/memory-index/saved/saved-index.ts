import { setImmediate as turn } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { type ChangePosition, ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { LoadedCompany } from '../documents/company-table.ts';
import { countryIn, DEAD, kindIn } from '../documents/observation-code.ts';
import type { InvertedIndex } from '../inverted-index/inverted-index.ts';
import type { Segment } from '../inverted-index/segment.ts';
import { emptyDocuments, type LoadedDocuments, type MemoryIndex } from '../memory-index.ts';
import { BufferPool } from '../ranking/buffer-pool.ts';
import { IndexVectors } from '../vectors/index-vectors.ts';
import type { FrameReader, FrameWriter } from './frames.ts';

/** Raise it with any change of what the frames have, or of what a loaded index computes from it. */
export const FORMAT = 1;

/** What a file is of. */
export interface SavedHead extends Pick<MemoryIndex, 'from' | 'leftOut' | 'origin' | 'version'> {
  readonly format: number;
  /** Random, noted in the database with the version: it tells histories apart. */
  readonly mark: string;
  readonly mostBytes: number;
  readonly documents: number;
  readonly position: Pick<ChangePosition, 'tx' | 'seq' | 'epoch'> | undefined;
  readonly vectors: Pick<IndexVectors, 'model' | 'version' | 'dimensions' | 'rows'> | undefined;
}

const VECTORS_AT_ONCE = 4_096;
const DOCUMENTS_AT_ONCE = 10_000;

/**
 * Copies what changes in place, so that the index may change while the result is written. The
 * result is the index of this moment; vectors may be newer, which a reader reads again.
 */
export function copyOf(
  index: MemoryIndex,
  noted: Pick<SavedHead, 'mark' | 'mostBytes'>,
): (to: FrameWriter) => Promise<void> {
  const { observations, companies, companyNumbers, observationTexts, companyTexts, vectors } = index;
  const { size } = observations;
  const head = headOf(index, noted);
  const rows = head.vectors?.rows ?? 0;
  const columns = [
    companyNumbers.ids.values.slice(0, companyNumbers.size),
    observations.ids.values.slice(0, size),
    observations.companies.values.slice(0, size),
    observations.codes.values.slice(0, size),
    observations.occurredAt.values.slice(0, size),
    observations.observedAt.values.slice(0, size),
    observations.recordedAt.values.slice(0, size),
    observations.partitions.values.slice(0, size),
    observations.lengths.values.slice(0, size),
    companies.companies.values.slice(0, companies.size),
    companies.survivors.values.slice(0, companies.size),
    companies.lengths.values.slice(0, companies.size),
    companies.alive.values.slice(0, companies.size),
  ];
  const maps = [new Map(observations.deliverableUntil), new Map(observations.facts), new Map(companies.ties)];
  const words = observationTexts.lexicon.words();
  const texts = [observationTexts.all().segments, companyTexts.all().segments];
  return async (to) => {
    await to.value(head);
    await to.value(words);
    for (const values of columns) await to.array(values);
    for (const map of maps) await to.value(map);
    for (const segments of texts) await writeSegments(to, segments);
    for (let row = 0; vectors && row < rows; row += VECTORS_AT_ONCE)
      await to.array(vectors.copyRows(row, Math.min(rows, row + VECTORS_AT_ONCE)));
  };
}

function headOf(index: MemoryIndex, noted: Pick<SavedHead, 'mark' | 'mostBytes'>): SavedHead {
  const { origin, version, position, from, leftOut, observations, companies, vectors } = index;
  return {
    format: FORMAT,
    ...noted,
    ...{ origin, version, from, leftOut },
    documents: observations.size + companies.size,
    position: position && { tx: position.tx, seq: position.seq, epoch: position.epoch },
    vectors: vectors && {
      model: vectors.model,
      version: vectors.version,
      dimensions: vectors.dimensions,
      rows: vectors.rows,
    },
  };
}

async function writeSegments(to: FrameWriter, segments: readonly Segment[]): Promise<void> {
  await to.value(segments.length);
  for (const { lexemes, starts, positionStarts, documents, counts, positions, written, ...numbers } of segments) {
    await to.value(numbers);
    for (const values of [lexemes, starts, positionStarts, documents, counts, positions, written.bytes, written.starts])
      await to.array(values);
  }
}

/** Reads all frames. Observations are not in order yet. */
export async function readSaved(from: FrameReader): Promise<MemoryIndex> {
  const head = await from.value<SavedHead>();
  const { origin, version, position, from: oldest, leftOut } = head;
  const vectors = head.vectors && new IndexVectors(head.vectors.model, head.vectors.dimensions);
  const documents = emptyDocuments(vectors);
  for (const word of await from.value<string[]>()) documents.observationTexts.lexicon.add(word);
  for (const id of await from.array(Float64Array)) documents.companyNumbers.numberOf(id);
  await readTables(from, documents);
  await readSegments(from, documents.observationTexts);
  await readSegments(from, documents.companyTexts);
  if (vectors && head.vectors) await readVectors(from, vectors, head.vectors);
  from.end();
  return {
    ...documents,
    ...{ origin, version, from: oldest, leftOut },
    position: position && create(ChangePositionSchema, position),
    buffers: new BufferPool(),
  };
}

async function readTables(from: FrameReader, documents: LoadedDocuments): Promise<void> {
  const { observations, companies, companyNumbers } = documents;
  const ids = await from.array(Float64Array);
  const companyOf = await from.array(Int32Array);
  const codes = await from.array(Uint16Array);
  const occurredAt = await from.array(Float64Array);
  const observedAt = await from.array(Float64Array);
  const recordedAt = await from.array(Float64Array);
  const partitions = await from.array(Int32Array);
  const lengths = await from.array(Int32Array);
  const described = await from.array(Int32Array);
  const survivors = await from.array(Int32Array);
  const companyLengths = await from.array(Int32Array);
  const alive = await from.array(Uint8Array);
  const deliverableUntil = await from.value<MemoryIndex['observations']['deliverableUntil']>();
  const facts = await from.value<MemoryIndex['observations']['facts']>();
  const domains = domainsOf(await from.value<MemoryIndex['companies']['ties']>());
  const idOf = (company: number | undefined) => companyNumbers.ids.values[company ?? 0] ?? 0;
  for (const [number, id] of ids.entries()) {
    const code = codes[number] ?? DEAD;
    const isDead = code === DEAD;
    observations.add({
      id,
      companyId: idOf(companyOf[number]),
      kind: isDead ? 0 : kindIn(code),
      country: isDead ? 0 : countryIn(code),
      occurredAt: occurredAt[number] ?? 0,
      observedAt: observedAt[number] ?? 0,
      recordedAt: recordedAt[number] ?? 0,
      deliverableUntil: deliverableUntil.get(number) ?? Number.POSITIVE_INFINITY,
      partition: partitions[number] ?? 0,
      length: lengths[number] ?? 0,
      facts: facts.get(number),
    });
    if (isDead) observations.remove(id);
    if (number % DOCUMENTS_AT_ONCE === 0) await turn();
  }
  for (const [number, company] of described.entries()) {
    const [id, survivorId] = [idOf(company), idOf(survivors[number])];
    const length = companyLengths[number] ?? 0;
    companies.add({ id, survivorId, length, domains: domains.get(number) ?? [] });
    if (alive[number] !== 1) companies.remove(id);
  }
}

function domainsOf(ties: MemoryIndex['companies']['ties']): Map<number, LoadedCompany['domains'][number][]> {
  const domains = new Map<number, LoadedCompany['domains'][number][]>();
  for (const [hostname, tied] of ties)
    for (const { document, supportedUntil } of tied) {
      const known = domains.get(document);
      if (known) known.push({ hostname, supportedUntil });
      else domains.set(document, [{ hostname, supportedUntil }]);
    }
  return domains;
}

async function readSegments(from: FrameReader, texts: InvertedIndex): Promise<void> {
  for (let left = await from.value<number>(); left > 0; left -= 1)
    texts.append({
      ...(await from.value<Pick<Segment, 'first' | 'size' | 'oldest' | 'newest'>>()),
      lexemes: await from.array(Int32Array),
      starts: await from.array(Uint32Array),
      positionStarts: await from.array(Uint32Array),
      documents: await from.array(Uint16Array),
      counts: await from.array(Uint8Array),
      positions: await from.array(Uint16Array),
      written: { bytes: await from.array(Uint8Array), starts: await from.array(Uint32Array) },
    });
}

async function readVectors(
  from: FrameReader,
  vectors: IndexVectors,
  { rows, version }: Pick<IndexVectors, 'rows' | 'version'>,
): Promise<void> {
  for (let row = 0; row < rows; row += VECTORS_AT_ONCE) {
    const count = Math.min(VECTORS_AT_ONCE, rows - row);
    const read = await from.array(Int8Array);
    const bytes = read.length / count;
    for (let at = 0; at < count; at += 1) vectors.set(row + at, read.subarray(at * bytes, (at + 1) * bytes));
  }
  vectors.version = version;
}
