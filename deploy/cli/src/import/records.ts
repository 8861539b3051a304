import { createHash } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { cutAtWord, safePassage } from '@ces/acquisition/extract/passages/passage';
import { COUNTRY_NAMES, countryOf, KIND_NAMES, kindOf } from '@ces/proto/catalog';
import type { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type CompanyRecord,
  CompanyRecordSchema,
  type EvidenceRecord,
  EvidenceRecordSchema,
  type ObservationRecord,
  ObservationRecordSchema,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { withoutContacts } from '@ces/proto/contact-details';
import {
  BadLine,
  type Fields,
  fileIdAt,
  fractionAt,
  objectAt,
  objectsAt,
  optionalTextAt,
  optionalTimestampAt,
  type Parsed,
  parseLine,
  textAt,
  textsAt,
  timestampAt,
} from './fields.ts';

/** Well-formed; the tally counts by message. */
export class NotRecordable extends Error {
  override readonly name = 'NotRecordable';
}

const NAME_CODE_POINTS = 500;
/** The record's limit for `observed_fact` and `why_it_may_matter`, in code points. */
const SENTENCE_CODE_POINTS = 2000;
const PASSAGES = 10;

/** Throws BadLine, or NotRecordable with the reason to count. */
export function readCompanyLine(line: Buffer): Parsed<CompanyRecord> {
  const fields = parseLine(line);
  const fileId = fileIdAt(fields, 'id');
  const name = cutAtWord(withoutContacts(textAt(fields, 'name')), NAME_CODE_POINTS);
  const record = create(CompanyRecordSchema, {
    key: String(fileId),
    name,
    hostnames: objectsAt(fields, 'domains').map((domain) => textAt(domain, 'hostname')),
    country: countryAt(fields),
  });
  if (name === '') throw new NotRecordable('the name contains only contact details');
  return { fileId, record };
}

/** Throws the same. */
export function readObservationLine(line: Buffer, { keepExpiry }: { keepExpiry: boolean }): Parsed<ObservationRecord> {
  const fields = parseLine(line);
  const fileId = fileIdAt(fields, 'id');
  const origin = fields.values.meta === undefined ? undefined : optionalTextAt(objectAt(fields, 'meta'), 'source');
  const expiresAt = keepExpiry ? optionalTimestampAt(fields, 'expires_at') : undefined;
  const occurredAt = optionalTimestampAt(fields, 'occurred_at');
  const record = create(ObservationRecordSchema, {
    key: String(fileId),
    companyKey: String(fileIdAt(objectAt(fields, 'company'), 'id')),
    kind: kindAt(fields),
    confidence: fractionAt(fields, 'confidence'),
    observedAt: timestampAt(fields, 'observed_at'),
    categories: textsAt(fields, 'categories'),
    contentHash: createHash('sha256').update(line).digest(),
    ...(occurredAt && { occurredAt }),
    ...(expiresAt && { expiresAt }),
    ...(origin !== undefined && { origin }),
    country: countryAt(fields),
    observedFact: sentenceAt(fields, 'observed_fact'),
    whyItMayMatter: sentenceAt(fields, 'why_it_may_matter'),
    evidence: passagesAt(fields),
  });
  return { fileId, record };
}

function sentenceAt(fields: Fields, name: string): string {
  const sentence = cutAtWord(withoutContacts(textAt(fields, name)), SENTENCE_CODE_POINTS);
  if (sentence === '') throw new NotRecordable(`${name} contains only contact details`);
  return sentence;
}

function passagesAt(fields: Fields): EvidenceRecord[] {
  const passages = objectsAt(fields, 'evidence').flatMap((evidence) => {
    const excerpt = safePassage(textAt(evidence, 'excerpt'));
    return excerpt === undefined ? [] : [evidenceOf(evidence, excerpt)];
  });
  if (passages.length === 0) throw new NotRecordable('no evidence has an excerpt without contact details');
  return passages.slice(0, PASSAGES);
}

function evidenceOf(evidence: Fields, excerpt: string): EvidenceRecord {
  const occurredAt = optionalTimestampAt(evidence, 'occurred_at');
  const lastSeenAt = optionalTimestampAt(evidence, 'last_seen_at');
  return create(EvidenceRecordSchema, {
    sourceUri: textAt(evidence, 'source_uri'),
    excerpt,
    observedAt: timestampAt(evidence, 'observed_at'),
    ...(occurredAt && { occurredAt }),
    ...(lastSeenAt && { lastSeenAt }),
  });
}

function countryAt(fields: Fields): Country {
  const text = textAt(fields, 'country');
  const name = COUNTRY_NAMES.find((one) => one === text);
  if (name === undefined) throw new NotRecordable('the country is neither CA nor US');
  return countryOf(name);
}

function kindAt(fields: Fields): Kind {
  const text = textAt(fields, 'kind');
  const name = KIND_NAMES.find((one) => one === text);
  if (name === undefined) throw new BadLine(`kind must be one of ${KIND_NAMES.join(', ')}`);
  return kindOf(name);
}
