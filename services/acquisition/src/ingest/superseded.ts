import type { BatchRecord } from './batches.ts';

/**
 * Splits off records that were kept before and that a later record of the same key in the batch amends: a document may hold
 * several versions of one record, and reading it again must not publish the older ones anew.
 */
export function splitSuperseded(
  batch: readonly BatchRecord[],
  keptBefore: ReadonlySet<string>,
): { readonly current: readonly BatchRecord[]; readonly superseded: readonly BatchRecord[] } {
  const latest = new Map(batch.map((record) => [record.raw.key, record]));
  const isSuperseded = (record: BatchRecord) =>
    latest.get(record.raw.key) !== record && keptBefore.has(Buffer.from(record.kept.hash).toString('hex'));
  return {
    current: batch.filter((record) => !isSuperseded(record)),
    superseded: batch.filter(isSuperseded),
  };
}
