import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt';
import { type CountryName, countryName, type KindName, kindName } from '@ces/proto/catalog';
import type { EvidenceRecord, ObservationRecord } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { findContactDetail } from '@ces/proto/contact-details';
import { type EventIdentifier, normalTitle } from '../deduplication/event-key.ts';
import { type CheckedCompany, checkHostnames, readCompany } from './check-company.ts';
import { checkEventIdentifiers } from './check-event-identifiers.ts';
import { type Checked, check, checkText, refuse } from './checked.ts';

interface CheckedEvidence {
  readonly sourceUri: string;
  readonly excerpt: string;
  readonly occurredAt: Date | undefined;
  readonly observedAt: Date;
  /** Only when it is later than `observedAt`. */
  readonly lastSeenAt: Date | undefined;
  /** Undefined: the record itself is the raw one. */
  readonly raw: RawReference | undefined;
}

/** The kept raw record that a passage was taken from, and how. */
interface RawReference {
  readonly recordHash: Uint8Array;
  readonly textHash: Uint8Array;
  readonly extractorVersion: string;
}

export interface CheckedObservation {
  readonly key: string;
  readonly companyKey: string;
  /** The company to resolve; undefined: `companyKey` is of one that is recorded. */
  readonly company: CheckedCompany | undefined;
  readonly eventIdentifiers: readonly EventIdentifier[];
  /** Normal form; undefined: it is never taken for another by its title. */
  readonly title: string | undefined;
  /** Hostnames that an inline record supports itself. */
  readonly hostnames: readonly string[];
  readonly origin: string;
  readonly kind: KindName;
  readonly observedFact: string;
  readonly whyItMayMatter: string;
  readonly country: CountryName;
  readonly confidence: number;
  readonly occurredAt: Date | undefined;
  readonly observedAt: Date;
  readonly expiresAt: Date | undefined;
  /** Distinct passages, 1..10. */
  readonly evidence: readonly CheckedEvidence[];
  readonly categories: readonly string[];
  readonly operationId: bigint | undefined;
  readonly contentHash: Uint8Array;
  /** The latest instant at which the source was seen to report this. */
  readonly lastSeenAt: Date;
}

const MAX_EVIDENCE = 10;
const MAX_EXCERPT_CODE_POINTS = 600;
const MAX_SENTENCE_CODE_POINTS = 2000;
const MAX_URI_LENGTH = 2048;
const MAX_TITLE_CODE_POINTS = 1000;
const MAX_HOSTNAMES = 20;

/** NAICS 2022 sectors (gateway/docs/contract.md, Record and evidence). */
const SECTORS: ReadonlySet<string> = new Set(
  '11 21 22 23 31-33 42 44-45 48-49 51 52 53 54 55 56 61 62 71 72 81 92'.split(' '),
);

/** One observation of a batch, or why it is refused; `source` is its origin when it names none. */
export function checkObservation(source: string, record: ObservationRecord): Checked<CheckedObservation> {
  return check(() => {
    const kind = kindName(record.kind) ?? refuse('kind is not one of the nine');
    const occurredAt = optionalInstant('occurred_at', record.occurredAt);
    if (!occurredAt && kind !== 'company_profile') refuse('occurred_at is missing; only a company profile has none');
    const observedAt = instant('observed_at', record.observedAt);
    const evidence = checkEvidence(record.evidence);
    return {
      key: checkText('key', record.key, 512),
      ...checkSubject(record),
      origin: checkText('origin', record.origin || source, 100),
      kind,
      observedFact: checkSentence('observed_fact', record.observedFact),
      whyItMayMatter: checkSentence('why_it_may_matter', record.whyItMayMatter),
      country: countryName(record.country) ?? refuse('country is neither CA nor US'),
      confidence: checkConfidence(record.confidence),
      occurredAt,
      observedAt,
      expiresAt: optionalInstant('expires_at', record.expiresAt),
      evidence,
      categories: checkCategories(record.categories),
      operationId: checkOperationId(record.operationId),
      contentHash: record.contentHash.length === 32 ? record.contentHash : refuse('content_hash is not 32 bytes'),
      lastSeenAt: latest([observedAt, ...evidence.map((one) => one.lastSeenAt ?? one.observedAt)]),
    };
  });
}

/** Which company and event it is about: named inline, or the source key of a recorded company and nothing else. */
function checkSubject(
  record: ObservationRecord,
): Pick<CheckedObservation, 'companyKey' | 'company' | 'eventIdentifiers' | 'title' | 'hostnames'> {
  if (!record.company) {
    if (record.eventIdentifiers.length > 0 || record.title !== '' || record.hostnames.length > 0)
      refuse('event_identifiers, title and hostnames need an inline company');
    const companyKey = checkText('company_key', record.companyKey, 512);
    return { companyKey, company: undefined, eventIdentifiers: [], title: undefined, hostnames: [] };
  }
  if (record.companyKey !== '') refuse('company and company_key are both given');
  const company = readCompany(record.company);
  const hostnames = checkHostnames(record.hostnames, MAX_HOSTNAMES);
  return {
    companyKey: company.key,
    company: { ...company, hostnames: [...new Set([...company.hostnames, ...hostnames])] },
    eventIdentifiers: checkEventIdentifiers(record.eventIdentifiers),
    title: record.title === '' ? undefined : normalTitle(checkText('title', record.title, MAX_TITLE_CODE_POINTS)),
    hostnames,
  };
}

function checkEvidence(records: readonly EvidenceRecord[]): CheckedEvidence[] {
  if (records.length < 1 || records.length > MAX_EVIDENCE) refuse(`evidence must have 1 to ${MAX_EVIDENCE} passages`);
  const passages = new Map<string, CheckedEvidence>();
  for (const record of records) {
    const passage = checkPassage(record);
    passages.set(`${passage.sourceUri}\n${passage.excerpt}`, passage);
  }
  return [...passages.values()];
}

function checkPassage(record: EvidenceRecord): CheckedEvidence {
  const observedAt = instant('evidence.observed_at', record.observedAt);
  const lastSeenAt = optionalInstant('evidence.last_seen_at', record.lastSeenAt);
  return {
    sourceUri: checkUri(record.sourceUri),
    excerpt: withoutContacts('excerpt', checkText('excerpt', record.excerpt, MAX_EXCERPT_CODE_POINTS)),
    occurredAt: optionalInstant('evidence.occurred_at', record.occurredAt),
    observedAt,
    lastSeenAt: lastSeenAt && lastSeenAt > observedAt ? lastSeenAt : undefined,
    raw: checkRaw(record),
  };
}

function checkRaw(record: EvidenceRecord): RawReference | undefined {
  const { rawRecordHash: recordHash, textHash, extractorVersion } = record;
  if (recordHash.length === 0 && textHash.length === 0 && extractorVersion === '') return undefined;
  if (recordHash.length !== 32) refuse('raw_record_hash is not 32 bytes');
  if (textHash.length !== 32) refuse('text_hash is not 32 bytes');
  return { recordHash, textHash, extractorVersion: checkText('extractor_version', extractorVersion, 100) };
}

/** An http or https address; throws a refusal inside a check. */
export function checkUri(text: string): string {
  const uri = checkText('source_uri', text, MAX_URI_LENGTH);
  if (!/^https?:\/\//.test(uri) || !URL.canParse(uri)) refuse('source_uri is no http or https address');
  return uri;
}

function checkSentence(name: string, text: string): string {
  return withoutContacts(name, checkText(name, text, MAX_SENTENCE_CODE_POINTS));
}

function withoutContacts(name: string, text: string): string {
  const detail = findContactDetail(text);
  return detail ? refuse(`${name} contains ${detail}`) : text;
}

function checkConfidence(value: number): number {
  return value >= 0 && value <= 1 ? value : refuse('confidence is not between 0 and 1');
}

function checkCategories(categories: readonly string[]): string[] {
  if (!categories.every((category) => SECTORS.has(category))) refuse('categories holds more than NAICS 2022 sectors');
  return [...new Set(categories)];
}

function checkOperationId(id: bigint): bigint | undefined {
  if (id < 0n) refuse('operation_id is negative');
  return id === 0n ? undefined : id;
}

/** An instant that must be there; throws a refusal inside a check. */
export function instant(name: string, timestamp: Timestamp | undefined): Date {
  return optionalInstant(name, timestamp) ?? refuse(`${name} is missing`);
}

const EARLIEST_MS = Date.UTC(1000, 0, 1);
const LATEST_MS = Date.UTC(9999, 11, 31);

function optionalInstant(name: string, timestamp: Timestamp | undefined): Date | undefined {
  if (!timestamp) return undefined;
  const ms = timestampMs(timestamp);
  if (!(ms >= EARLIEST_MS && ms <= LATEST_MS)) refuse(`${name} is out of range`);
  return new Date(ms);
}

function latest(instants: readonly Date[]): Date {
  return instants.reduce((late, at) => (at > late ? at : late));
}
