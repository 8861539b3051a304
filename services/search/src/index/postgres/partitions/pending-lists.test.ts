import { create } from '@bufbuild/protobuf';
import { ChangePositionSchema, ObservationDocumentSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observation } from '../../../../test-support/documents.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../../test-support/postgres-index.ts';
import type { FeedRange } from '../../observation-index.ts';

const OBSERVATIONS = 200;
const WORDS = 60;
/** The longest pending list of an index that has caught up has this many pages of 8 kB. */
const SHORT_PAGES = 32;

let subject: PostgresIndexUnderTest;
beforeEach(async () => {
  subject = await openPostgresIndex();
});
afterEach(() => subject[Symbol.asyncDispose]());

async function applyRange(
  part: number,
  range: Pick<FeedRange, 'feed' | 'complete'>,
  count = OBSERVATIONS,
): Promise<void> {
  const { live, rebuild } = await subject.index.feedState();
  const observations = Array.from({ length: count }, (_, at) => {
    const id = part * count + at + 1;
    const words = Array.from({ length: WORDS }, (_, word) => `n${id}x${word}`);
    return create(ObservationDocumentSchema, observation(BigInt(id), 1n, words.join(' ')));
  });
  const from = range.feed === 'live' ? live : rebuild;
  const to = create(ChangePositionSchema, { tx: (from?.tx ?? 0n) + 1n, seq: 1n });
  await subject.index.apply({ observations, companies: [], range: { ...range, from, to } }, 1n);
}

async function pendingPages(): Promise<number> {
  const owner = new pg.Client(subject.database.ownerUrl);
  await owner.connect();
  try {
    const { rows } = await owner.query<{ pages: string }>(
      `select sum(gin_clean_pending_list(relid)) as pages from pg_partition_tree('entry_text') where isleaf`,
    );
    return Number(rows[0]?.pages);
  } finally {
    await owner.end();
  }
}

test('pending lists stay short once the index has caught up', async () => {
  await applyRange(0, { feed: 'live', complete: true });
  expect(await pendingPages()).toBeLessThanOrEqual(SHORT_PAGES);
});

test('they grow while more is to come, and are flushed at the end', async () => {
  await applyRange(0, { feed: 'live', complete: false });
  await subject.index.refreshStatistics();
  expect(await pendingPages()).toBeGreaterThan(SHORT_PAGES);
  await applyRange(1, { feed: 'live', complete: false });
  const end = create(ChangePositionSchema, { tx: 9n, seq: 1n });
  const { live } = await subject.index.feedState();
  await subject.index.apply(
    {
      observations: [],
      companies: [],
      range: { feed: 'live', from: live, to: end, complete: true },
    },
    1n,
  );
  await subject.index.refreshStatistics();
  expect(await pendingPages()).toBe(0);
});

test('they grow while each range reaches the end with many documents, and are flushed once nothing came since the last look', async () => {
  for (const part of [0, 1]) {
    await applyRange(part, { feed: 'live', complete: true }, 2 * OBSERVATIONS);
    await subject.index.refreshStatistics();
    expect(await pendingPages()).toBeGreaterThan(SHORT_PAGES);
  }
  await applyRange(2, { feed: 'live', complete: true }, 2 * OBSERVATIONS);
  await subject.index.refreshStatistics();
  await subject.index.refreshStatistics();
  expect(await pendingPages()).toBe(0);
});

test('during a rebuild what is live flushes nothing, its end flushes everything', async () => {
  await subject.index.beginRebuild();
  await applyRange(0, { feed: 'rebuild', complete: false });
  const { live } = await subject.index.feedState();
  const to = create(ChangePositionSchema, { tx: 1n, seq: 1n });
  await subject.index.apply(
    {
      observations: [],
      companies: [],
      range: { feed: 'live', from: live, to, complete: true },
    },
    1n,
  );
  await subject.index.refreshStatistics();
  expect(await pendingPages()).toBeGreaterThan(SHORT_PAGES);
  await applyRange(1, { feed: 'rebuild', complete: false });
  await applyRange(2, { feed: 'rebuild', complete: true });
  await subject.index.refreshStatistics();
  expect(await pendingPages()).toBe(0);
});
