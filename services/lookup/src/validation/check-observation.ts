import { type CountryName, countryName, type KindName, kindName } from '@ces/proto/catalog';
import type { ObservationRecord } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { type EventIdentifier, normalTitle } from '../deduplication/event-key.ts';
import { type CheckedCompany, checkHostnames, readCompany } from './check-company.ts';
import { checkEventIdentifiers } from './check-event-identifiers.ts';
import { type CheckedEvidence, checkEvidence } from './check-evidence.ts';
import { checkFreeText, checkInstant, checkOptionalInstant, checkShownText, checkText } from './check-values.ts';
import { type Checked, check, refuse } from './checked.ts';

export interface CheckedObservation {
  readonly key: string;
  readonly companyKey: string;
  /** Undefined: `companyKey` names a recorded company. */
  readonly company: CheckedCompany | undefined;
  readonly eventIdentifiers: readonly EventIdentifier[];
  readonly title: string | undefined;
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
  readonly evidence: readonly CheckedEvidence[];
  readonly categories: readonly string[];
  readonly operationId: bigint | undefined;
  readonly contentHash: Uint8Array;
  readonly lastSeenAt: Date;
}

const MAX_SENTENCE_CODE_POINTS = 2000;
const MAX_TITLE_CODE_POINTS = 1000;
const MAX_HOSTNAMES = 20;

/** NAICS 2022 (gateway/docs/contract.md, Record and evidence). */
const SECTORS: ReadonlySet<string> = new Set(
  '11 21 22 23 31-33 42 44-45 48-49 51 52 53 54 55 56 61 62 71 72 81 92'.split(' '),
);

export function checkObservation(source: string, record: ObservationRecord): Checked<CheckedObservation> {
  return check(() => {
    const kind = kindName(record.kind) ?? refuse('kind is not one of the nine');
    const occurredAt = checkOptionalInstant('occurred_at', record.occurredAt);
    if (!occurredAt && kind !== 'company_profile') refuse('occurred_at is missing; only a company profile has none');
    const observedAt = checkInstant('observed_at', record.observedAt);
    const evidence = checkEvidence(record.evidence);
    return {
      key: checkText('key', record.key, 512),
      ...checkSubject(record),
      origin: checkText('origin', record.origin || source, 100),
      kind,
      observedFact: checkFreeText('observed_fact', record.observedFact, MAX_SENTENCE_CODE_POINTS),
      whyItMayMatter: checkFreeText('why_it_may_matter', record.whyItMayMatter, MAX_SENTENCE_CODE_POINTS),
      country: countryName(record.country) ?? refuse('country is neither CA nor US'),
      confidence: checkConfidence(record.confidence),
      occurredAt,
      observedAt,
      expiresAt: checkOptionalInstant('expires_at', record.expiresAt),
      evidence,
      categories: checkCategories(record.categories),
      operationId: checkOperationId(record.operationId),
      contentHash: record.contentHash.length === 32 ? record.contentHash : refuse('content_hash is not 32 bytes'),
      lastSeenAt: latest([observedAt, ...evidence.map((one) => one.lastSeenAt ?? one.observedAt)]),
    };
  });
}

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
    title: record.title === '' ? undefined : normalTitle(checkShownText('title', record.title, MAX_TITLE_CODE_POINTS)),
    hostnames,
  };
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

function latest(instants: readonly Date[]): Date {
  return instants.reduce((late, at) => (at > late ? at : late));
}
