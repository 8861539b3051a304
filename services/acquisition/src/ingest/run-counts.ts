import type { LeftOut } from '../sources/mapped.ts';
import type { Refusal } from '../sources/source.ts';

export interface Reason {
  readonly field: string;
  readonly reason: string;
  count: number;
  readonly example: string;
}

export interface CountsRow {
  documents: number;
  requests: number;
  bytes: number;
  records: number;
  new_records: number;
  created: number;
  seen: number;
  amended: number;
  companies: number;
  closings: number;
  left_out: Reason[];
  refused: Reason[];
  drift_missing: string[];
  drift_new: string[];
}

/** Further reasons are counted together, so that a malformed file cannot fill the memory. */
const MOST_REASONS = 100;
const MOST_COMPANIES = 1_000_000;

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

  countCompany(id: bigint): void {
    if (id > 0n && this.#companies.size < MOST_COMPANIES) this.#companies.add(id);
  }

  refuse({ field, reason, key }: Refusal): void {
    countReason(this.#refused, field, reason, key);
  }

  leaveOut({ reason }: LeftOut, key: string): void {
    countReason(this.#leftOut, '', reason, key);
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
