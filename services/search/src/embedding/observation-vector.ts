import { hash } from 'node:crypto';
import type { ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';

/** The limit is in UTF-16 units. Small encoders read about a hundred words. */
const EXCERPTS = 500;

export function observationText({ observedFact, excerpts }: ObservationDocument): string {
  return `${observedFact} ${excerpts.join(' ').slice(0, EXCERPTS)}`.toWellFormed().trim() || '-';
}

/** Detects a changed text; 16 bytes. */
export function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}

/** One byte per dimension. The cosine ignores the scale, so it is not stored. */
export function quantise(vector: Float32Array): Int8Array {
  const greatest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => (greatest > 0 ? Math.round((value / greatest) * 127) : 0));
}
