import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Refusal } from '../connector/source.ts';
import type { CountsRow, Reason } from '../db/source-run.ts';
import type { ReadRecord } from './read-record.ts';

/** Further reasons are counted together, which bounds the memory. */
const MOST_REASONS = 100;
const MOST_COMPANIES = 1_000_000;

export interface RecordedPart {
  readonly tx: bigint;
  readonly observations: readonly RecordedObservation[];
  readonly closings: readonly Recorded[];
}

interface Recorded {
  readonly key: string;
  readonly outcome: RecordOutcome;
  readonly reason: string;
}

export interface RecordedObservation extends Recorded {
  readonly observationId: bigint;
  readonly companyId: bigint;
}

export class RunCounts {
  documents = 0;
  requests = 0;
  bytes = 0;
  records = 0;
  newRecords = 0;
  created = 0;
  seen = 0;
  amended = 0;
  closings = 0;
  readonly driftMissing = new Set<string>();
  readonly driftNew = new Set<string>();
  readonly #companies = new Set<bigint>();
  readonly #leftOut = new Map<string, Reason>();
  readonly #refused = new Map<string, Reason>();

  refuse({ field, reason, key }: Refusal): void {
    countReason(this.#refused, field, reason, key);
  }

  countRead(key: string, { refusals, leftOut }: ReadRecord): void {
    this.records += 1;
    for (const refusal of refusals) this.refuse(refusal);
    for (const { reason } of leftOut) countReason(this.#leftOut, '', reason, key);
  }

  countRecorded({ observations, closings }: RecordedPart): void {
    for (const observation of observations) this.#countObservation(observation);
    for (const { key, outcome, reason } of closings)
      if (outcome === RecordOutcome.REFUSED) this.refuse({ key, field: 'closing', reason });
      else this.closings += 1;
  }

  #countObservation({ key, outcome, companyId, reason }: RecordedObservation): void {
    if (companyId > 0n && this.#companies.size < MOST_COMPANIES) this.#companies.add(companyId);
    if (outcome === RecordOutcome.CREATED) this.created += 1;
    else if (outcome === RecordOutcome.SEEN) this.seen += 1;
    else if (outcome === RecordOutcome.AMENDED) this.amended += 1;
    else this.refuse({ key, field: 'record', reason: reason || 'was refused without a reason' });
  }

  get refused(): number {
    return [...this.#refused.values()].reduce((sum, one) => sum + one.count, 0);
  }

  toRow(): CountsRow {
    return {
      documents: this.documents,
      requests: this.requests,
      bytes: this.bytes,
      records: this.records,
      new_records: this.newRecords,
      created: this.created,
      seen: this.seen,
      amended: this.amended,
      companies: this.#companies.size,
      closings: this.closings,
      left_out: mostFrequent(this.#leftOut),
      refused: mostFrequent(this.#refused),
      drift_missing: [...this.driftMissing].sort(),
      drift_new: [...this.driftNew].sort(),
    };
  }
}

function countReason(reasons: Map<string, Reason>, field: string, reason: string, example: string): void {
  const id = `${field}\n${reason}`;
  const known = reasons.has(id) || reasons.size < MOST_REASONS;
  const name = known ? id : '\nother reasons';
  const counted = reasons.get(name);
  if (counted) counted.count += 1;
  else
    reasons.set(
      name,
      known ? { field, reason, count: 1, example } : { field: '', reason: 'other reasons', count: 1, example },
    );
}

function mostFrequent(reasons: ReadonlyMap<string, Reason>): Reason[] {
  return [...reasons.values()].sort((a, b) => b.count - a.count);
}
