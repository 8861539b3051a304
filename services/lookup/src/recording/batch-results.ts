import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Checked } from '../validation/checked.ts';

export type Result =
  | { readonly outcome: typeof RecordOutcome.CREATED; readonly id: bigint }
  | { readonly outcome: typeof RecordOutcome.SEEN; readonly id: bigint }
  | { readonly outcome: typeof RecordOutcome.AMENDED; readonly id: bigint }
  | { readonly outcome: typeof RecordOutcome.REFUSED; readonly reason: string };

export function refused(reason: string): Result {
  return { outcome: RecordOutcome.REFUSED, reason };
}

export class BatchResults {
  readonly #results: (Result | undefined)[];

  constructor(checked: readonly Checked<unknown>[]) {
    this.#results = checked.map((one) => (one.ok ? undefined : refused(one.reason)));
  }

  set(index: number, result: Result): void {
    this.#results[index] = result;
  }

  createdIds(): bigint[] {
    return this.#results.flatMap((result) => (result?.outcome === RecordOutcome.CREATED ? [result.id] : []));
  }

  all(): Result[] {
    return this.#results.map((result, index) => {
      if (!result) throw new Error(`record ${index} of the batch was not handled`);
      return result;
    });
  }
}

export function accepted<T extends object>(checked: readonly Checked<T>[]): (T & { readonly index: number })[] {
  return checked.flatMap((one, index) => (one.ok ? [{ ...one.record, index }] : []));
}
