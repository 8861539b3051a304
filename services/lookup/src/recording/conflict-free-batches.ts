/** Each source key once; the records of a key keep their order. */
export function splitIntoConflictFreeBatches<T extends { readonly key: string }>(records: readonly T[]): T[][] {
  const batches: T[][] = [];
  const batchesOf = new Map<string, number>();
  for (const record of records) {
    const index = batchesOf.get(record.key) ?? 0;
    batchesOf.set(record.key, index + 1);
    const batch = batches[index] ?? [];
    batches[index] = batch;
    batch.push(record);
  }
  return batches;
}
