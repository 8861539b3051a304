import { hash } from 'node:crypto';
import type { ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';

/** Code units of the excerpts that are read beside the fact: small encoders read about a hundred words. */
const EXCERPTS = 500;

/** The text that stands for an observation. */
export function observationText({ observedFact, excerpts }: ObservationDocument): string {
  /* An endpoint refuses an empty text. */
  return `${observedFact} ${excerpts.join(' ').slice(0, EXCERPTS)}`.toWellFormed().trim() || '-';
}

/** Tells whether a text was changed since its vector was made; 16 bytes. */
export function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}

/** A vector in one byte a dimension. The cosine does not ask for the scale, so none is kept. */
export function quantise(vector: Float32Array): Int8Array {
  const greatest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => (greatest > 0 ? Math.round((value / greatest) * 127) : 0));
}
