import type { EvidenceRecord } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { checkFreeText, checkInstant, checkOptionalInstant, checkText, checkUri } from './check-values.ts';
import { refuse } from './checked.ts';

export interface CheckedEvidence {
  readonly sourceUri: string;
  readonly excerpt: string;
  readonly occurredAt: Date | undefined;
  readonly observedAt: Date;
  /** Only if later than `observedAt`. */
  readonly lastSeenAt: Date | undefined;
  readonly raw: RawReference | undefined;
}

interface RawReference {
  readonly recordHash: Uint8Array;
  readonly textHash: Uint8Array;
  readonly extractorVersion: string;
}

const MAX_EVIDENCE = 10;
const MAX_EXCERPT_CODE_POINTS = 600;

export function checkEvidence(records: readonly EvidenceRecord[]): CheckedEvidence[] {
  if (records.length < 1 || records.length > MAX_EVIDENCE) refuse(`evidence must have 1 to ${MAX_EVIDENCE} passages`);
  const passages = new Map<string, CheckedEvidence>();
  for (const record of records) {
    const passage = checkPassage(record);
    passages.set(`${passage.sourceUri}\n${passage.excerpt}`, passage);
  }
  return [...passages.values()];
}

function checkPassage(record: EvidenceRecord): CheckedEvidence {
  const observedAt = checkInstant('evidence.observed_at', record.observedAt);
  const lastSeenAt = checkOptionalInstant('evidence.last_seen_at', record.lastSeenAt);
  return {
    sourceUri: checkUri(record.sourceUri),
    excerpt: checkFreeText('excerpt', record.excerpt, MAX_EXCERPT_CODE_POINTS),
    occurredAt: checkOptionalInstant('evidence.occurred_at', record.occurredAt),
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
