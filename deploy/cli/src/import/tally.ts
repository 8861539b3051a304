import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';

export interface Tally {
  read: number;
  created: number;
  seen: number;
  amended: number;
  refused: number;
  bad: number;
  readonly reasons: Map<string, number>;
}

/** A malformed file must not exhaust the memory. */
const MOST_REASONS = 50;

export function newTally(): Tally {
  return { read: 0, created: 0, seen: 0, amended: 0, refused: 0, bad: 0, reasons: new Map() };
}

export function countOutcome(tally: Tally, outcome: RecordOutcome, reason: string): void {
  switch (outcome) {
    case RecordOutcome.CREATED:
      tally.created += 1;
      break;
    case RecordOutcome.SEEN:
      tally.seen += 1;
      break;
    case RecordOutcome.AMENDED:
      tally.amended += 1;
      break;
    default:
      countRefusal(tally, reason || 'no reason was given');
  }
}

export function countRefusal(tally: Tally, reason: string): void {
  tally.refused += 1;
  const known = tally.reasons.has(reason) || tally.reasons.size < MOST_REASONS;
  const name = known ? reason : 'other reasons';
  tally.reasons.set(name, (tally.reasons.get(name) ?? 0) + 1);
}
