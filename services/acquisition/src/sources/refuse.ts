/** Thrown inside `map` or while a record is read; the frame counts it and goes on with the next record. */
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

/** Refuses the record in hand: `refuse('title', 'is missing')`. `field` is the source's own name; the reason quotes no value. */
export function refuse(field: string, reason: string): never {
  throw new Refused(field, reason);
}
