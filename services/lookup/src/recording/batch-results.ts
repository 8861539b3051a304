import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Checked } from '../validation/checked.ts';

const MAX_BATCH = 500;
const MAX_SOURCE_LENGTH = 100;

/** What became of one record of a batch. */
export type Result =
  | { readonly outcome: typeof RecordOutcome.CREATED; readonly id: bigint }
  | { readonly outcome: typeof RecordOutcome.SEEN; readonly id: bigint }
  | { readonly outcome: typeof RecordOutcome.AMENDED; readonly id: bigint }
  | { readonly outcome: typeof RecordOutcome.REFUSED; readonly reason: string };

/** Refuses a whole batch that is too large or names no source. */
export function checkBatch(source: string, size: number): void {
  if (source.trim() === '' || [...source].length > MAX_SOURCE_LENGTH || source.includes('\0'))
    throw fail(FailureCode.INVALID_REQUEST, `source must be 1 to ${MAX_SOURCE_LENGTH} characters.`);
  if (size > MAX_BATCH) throw fail(FailureCode.INVALID_REQUEST, `At most ${MAX_BATCH} records in a call.`);
}

export function refused(reason: string): Result {
  return { outcome: RecordOutcome.REFUSED, reason };
}

/** The results of a batch by place: the refusals of its check, and the rest as it gets written. */
export class Results {
  readonly #results: (Result | undefined)[];

  constructor(checked: readonly Checked<unknown>[]) {
    this.#results = checked.map((one) => (one.ok ? undefined : refused(one.reason)));
  }

  set(place: number, result: Result): void {
    this.#results[place] = result;
  }

  /** All results in order; every place must have got one. */
  all(): Result[] {
    return this.#results.map((result, place) => {
      if (!result) throw new Error(`record ${place} of the batch was not handled`);
      return result;
    });
  }
}

/** The records that passed their check, each with its place in the batch. */
export function placed<T extends object>(checked: readonly Checked<T>[]): (T & { readonly place: number })[] {
  return checked.flatMap((one, place) => (one.ok ? [{ ...one.record, place }] : []));
}
