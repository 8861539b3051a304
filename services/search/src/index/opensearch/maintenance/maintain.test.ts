import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { instant, observation } from '../../../../test-support/documents.ts';
import {
  batch,
  type OpenSearchUnderTest,
  openOpenSearchIndex,
} from '../../../../test-support/opensearch-under-test.ts';
import { firstDayKept } from './discard-older-events.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const LATER_MS = 11 * 60_000;

test('months are kept from their first day on', () => {
  const now = new Date('2026-03-31T23:00:00Z');
  expect([0, 1, 3, 14].map((months) => firstDayKept(now, months))).toEqual([
    null,
    '2026-02-01',
    '2025-12-01',
    '2025-01-01',
  ]);
});

describeWithOpenSearch('an index on OpenSearch that keeps some months', () => {
  let now = START;
  let subject: OpenSearchUnderTest;
  beforeEach(async () => {
    now = START;
    subject = await openOpenSearchIndex({ keptMonths: 14 }, { now: () => new Date(now) });
    await subject.index.apply(
      batch(
        {
          observations: [
            observation(1n, 1n, 'battery', { occurredAt: instant('2025-09-01T00:00:00Z') }),
            observation(2n, 2n, 'battery', { occurredAt: instant('2025-08-31T23:59:59Z') }),
            observation(3n, 3n, 'battery', { occurredAt: instant('1999-01-01T00:00:00Z'), kind: Kind.COMPANY_PROFILE }),
            { ...observation(4n, 4n, 'battery'), occurredAt: undefined },
          ],
        },
        undefined,
        1n,
      ),
      1n,
    );
  });
  afterEach(() => subject[Symbol.asyncDispose]());

  test('old documents are discarded one run after they are marked; profiles and undated documents stay', async () => {
    await subject.index.maintain();
    expect(await subject.found('batteri')).toEqual([1n, 2n, 3n, 4n]);
    await subject.index.maintain();
    expect(await subject.found('batteri')).toEqual([1n, 2n, 3n, 4n]);
    now += LATER_MS;
    await subject.index.maintain();
    expect(await subject.found('batteri')).toEqual([1n, 3n, 4n]);
    expect((await subject.index.size()).observations).toBe(3n);
  });

  test('the next version of a discarded document restores it if that is recent enough, an earlier one does not', async () => {
    await subject.index.maintain();
    now += LATER_MS;
    await subject.index.maintain();
    expect(await subject.found('batteri')).toEqual([1n, 3n, 4n]);
    await subject.index.apply(batch({ observations: [observation(2n, 2n, 'battery')] }, 1n, 2n), 1n);
    expect(await subject.found('batteri')).toEqual([1n, 3n, 4n]);
    await subject.index.apply(batch({ observations: [observation(2n, 2n, 'battery', { version: 2n })] }, 2n, 3n), 1n);
    expect(await subject.found('batteri')).toEqual([1n, 2n, 3n, 4n]);
  });

  test('a document beyond the retention is not indexed again, and its date may change', async () => {
    await subject.index.maintain();
    const old = instant('2023-02-02T00:00:00Z');
    await subject.index.apply(
      batch({ observations: [observation(1n, 1n, 'battery', { version: 2n, occurredAt: old })] }, 1n, 2n),
      1n,
    );
    expect(await subject.found('batteri')).toEqual([2n, 3n, 4n]);
    await subject.index.apply(batch({ observations: [observation(1n, 1n, 'battery', { version: 3n })] }, 2n, 3n), 1n);
    expect(await subject.found('batteri')).toEqual([1n, 2n, 3n, 4n]);
  });
});
