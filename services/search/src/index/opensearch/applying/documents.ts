import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { type AnalysedText, analyseObservation, analyseProfile } from '../../../text/analyse.ts';
import { lexemesOfText } from '../../../text/stem.ts';
import { wordsOf } from '../../../text/words.ts';
import { exactMicrosOf } from '../../instants.ts';
import { DIMENSIONS, NEVER, STOP_WORD } from '../indices/mapping.ts';

/** `source` is JSON with integers as strings, because JSON numbers lack 64 bits. */
export interface IndexedDocument {
  readonly id: bigint;
  readonly version: bigint;
  readonly source: string;
}

export interface IndexedObservation extends IndexedDocument {
  /** Event time in microseconds since 1970; undefined if the event never expires. */
  readonly datedAt: bigint | undefined;
}

export function indexedObservation(
  document: ObservationDocument,
  placeCodes: ReadonlyMap<string, string>,
): IndexedObservation {
  const { id, version, companyId, kind, country, occurredAt } = document;
  const ids = { observation_id: exact(id), ...(companyId !== 0n && { company_id: exact(companyId) }) };
  if (document.tombstone) return { ...tombstoneOf(id, version), datedAt: undefined };
  const text = analyseObservation(document, placeCodes);
  const fields = {
    ...ids,
    tombstone: false,
    kind: String(kind),
    country: String(country),
    ...(occurredAt && { occurred_at: String(exactMicrosOf(occurredAt)) }),
    observed_at: String(optionalMicrosOf(document.observedAt, 0n)),
    recorded_at: String(optionalMicrosOf(document.recordedAt, 0n)),
    deliverable_until: String(optionalMicrosOf(document.deliverableUntil, NEVER)),
    ...textFields(text),
    facts: text.facts,
  };
  const datedAt = kind !== Kind.COMPANY_PROFILE && occurredAt ? exactMicrosOf(occurredAt) : undefined;
  return { id, version, source: JSON.stringify(fields), datedAt };
}

/** OpenSearch refuses vectors of length 0. */
export function withVector(
  { id, version, source }: IndexedDocument,
  model: string,
  vector: Int8Array,
): IndexedDocument {
  if (vector.length !== DIMENSIONS || vector.every((value) => value === 0)) return { id, version, source };
  const fields = JSON.stringify({ vector_model: model, vector: [...vector] });
  return { id, version, source: `${source.slice(0, -1)},${fields.slice(1)}` };
}

export function tombstoneOf(id: bigint, version: bigint): IndexedDocument {
  return { id, version, source: JSON.stringify({ observation_id: exact(id), tombstone: true }) };
}

export function indexedCompany(document: CompanyDocument, placeCodes: ReadonlyMap<string, string>): IndexedDocument {
  const { id, version, country, name, domains } = document;
  const survivorId = document.survivorId || id;
  const ids = { company_id: exact(id), survivor_id: exact(survivorId) };
  const fields = document.tombstone
    ? { ...ids, tombstone: true }
    : {
        ...ids,
        tombstone: false,
        is_survivor: survivorId === id,
        country: String(country),
        ...textFields(analyseProfile(document, placeCodes)),
        /* Only a survivor's own text describes it. */
        ...(survivorId !== id && { text: '' }),
        name_words: wordsOf(name).join(' '),
        domains: domains.map(({ hostname, supportedUntil }) => ({
          hostname,
          supported_until: String(optionalMicrosOf(supportedUntil, NEVER)),
        })),
      };
  return { id, version, source: JSON.stringify(fields) };
}

/** Throws for an id that does not survive the 53-bit numbers of OpenSearch's answers. */
function exact(id: bigint): string {
  if (id > Number.MAX_SAFE_INTEGER) throw new Error(`the id ${id} is too large for an index on OpenSearch`);
  return String(id);
}

function textFields({ searchable, words }: AnalysedText) {
  const lexemes = lexemesOfText(searchable === '' ? [] : searchable.split(' '));
  return { text: lexemes.map((lexeme) => lexeme ?? STOP_WORD).join(' '), words };
}

function optionalMicrosOf(timestamp: Timestamp | undefined, otherwise: bigint): bigint {
  return timestamp ? exactMicrosOf(timestamp) : otherwise;
}
