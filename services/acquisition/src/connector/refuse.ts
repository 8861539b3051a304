import { MAX_KEY_LENGTH, type Parsed } from './source.ts';

/** Refuses one record. The run counts it and continues. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly field: string;
  readonly reason: string;

  constructor(field: string, reason: string) {
    super(`${field} ${reason}`);
    this.field = field;
    this.reason = reason;
  }
}

/** `field` is the source's own name. The reason quotes no value, as in 'is missing'. */
export function refuse(field: string, reason: string): never {
  throw new Refused(field, reason);
}

/** A part of a document that is no record. `key` is its key or position. */
export function refused(key: string, field: string, reason: string): Extract<Parsed, { readonly type: 'refused' }> {
  return { type: 'refused', refusal: { key: key.slice(0, MAX_KEY_LENGTH), field, reason } };
}
