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
  return {
    ...documents,
    from: 0,
    leftOut: 0,
    origin: 'one',
    version: 1n,
    position: undefined,
    buffers: new BufferPool(),
  };
}

test('an index catches up with any number of documents, and with those noted while it was loaded', async () => {
  const index = indexOf(20_000);
  const noted = { observations: ['15000', '15001'], companies: ['7'] };
  expect(await applyChanges(changedBy(15_000), index, noted)).toBe(15_002);
  expect(index.observations.dead).toBe(15_001);
  expect(index.version).toBe(2n);
});

test('an index of another history is not brought up to date', async () => {
  const index = { ...indexOf(1), origin: 'another' };
  expect(await applyChanges(changedBy(1), index)).toBeUndefined();
  expect(index.version).toBe(1n);
});
