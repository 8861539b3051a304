import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { instant, observation } from '../../../../test-support/documents.ts';
import { openIndex } from '../../../../test-support/index-under-test.ts';
import { readPartitionBoundary } from './partitions.ts';
import { maintainPartitions } from './retention.ts';

const ENOUGH_MS = 300;

test('who discards a partition and who writes its documents do not wait for each other', async () => {
  await using subject = await openIndex();
  await subject.apply({
    observations: [observation(1n, 1n, 'a battery plant', { occurredAt: instant('2021-03-05T00:00:00Z') })],
  });
  const writer = new pg.Client({ connectionString: subject.database.ownerUrl });
  await writer.connect();
  await writer.query(`update partitioning set kept_from = '2026-01-01'`);
  await writer.query('begin');
  /* As the projector: the feed, rows of documents, and then the version that the triggers raise. */
  await writer.query('update feed set complete = complete');
  await writer.query('select from indexed for update');
  const boundary = await readPartitionBoundary(subject.pool);
  const discarding = maintainPartitions(subject.pool, { boundary, now: new Date(), keptMonths: 0 });
  const discarded = discarding.then(
    () => undefined,
    (error: unknown) => error,
  );
  await pause(ENOUGH_MS);
  await writer.query('update indexed set version = version + 1');
  await writer.query('commit');
  expect(await discarded).toBeUndefined();
  expect((await writer.query('select from indexed')).rowCount).toBe(0);
  await writer.end();
});
