import type { Pool } from '@ces/chassis/postgres/pool';
import { expect, test } from 'vitest';
import { emptyDocuments } from '../memory-index.ts';
import { BufferPool } from '../ranking/buffer-pool.ts';
import { applyChanges } from './apply-changes.ts';

function changedBy(documents: number): Pool {
  const ids = Array.from({ length: documents }, (_, at) => String(at + 1));
  const query = async (what: string | { text: string }) => {
    const text = typeof what === 'string' ? what : what.text;
    if (text.includes('from index_change')) return { rows: [{ versions: 1n, observations: ids, companies: [] }] };
    if (text.includes('index_version'))
      return { rows: [{ version: 2n, origin: 'one', tx: null, seq: null, epoch: null, kept_from: null, now: 0 }] };
    return text === 'commit' ? { rows: [], command: 'COMMIT' } : { rows: [] };
  };
  const client = { query, release: () => undefined };
  return { query, connect: async () => client } as unknown as Pool;
}

function indexOf(observations: number) {
  const documents = emptyDocuments();
  const same = {
    companyId: 1,
    kind: 1,
    country: 1,
    occurredAt: 0,
    observedAt: 0,
    recordedAt: 0,
    partition: 20260901,
    length: 1,
  };
  for (let id = 1; id <= observations; id += 1)
    documents.observations.add({ ...same, id, deliverableUntil: Number.POSITIVE_INFINITY, facts: undefined });
  return { ...documents, from: 0, origin: 'one', version: 1n, position: undefined, buffers: new BufferPool() };
}

test('a index catches up with as many documents as are little beside what it has, and with ten thousand in any case', async () => {
  const [small, large] = [indexOf(20_000), indexOf(220_000)];
  expect(await applyChanges(changedBy(10_001), small)).toBeUndefined();
  expect(await applyChanges(changedBy(10_000), small)).toBe(10_000);
  expect(small.observations.dead).toBe(10_000);
  expect(await applyChanges(changedBy(11_001), large)).toBeUndefined();
  expect(large.version).toBe(1n);
  expect(await applyChanges(changedBy(11_000), large)).toBe(11_000);
  expect(large.version).toBe(2n);
});
