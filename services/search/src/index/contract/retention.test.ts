import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import { batchOf, type IndexUnderTest } from '../../../test-support/index-under-test.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const LATER_MS = 11 * 60_000;

describeEngines((openIndex) => {
  let now = START;
  let subject: IndexUnderTest;

  beforeEach(async () => {
    now = START;
    subject = await openIndex({ keptMonths: 14, clock: { now: () => new Date(now) } });
    await subject.apply({
      companies: [1n, 2n, 3n, 4n].map((id) => company(id, `Company ${id}`)),
      observations: [
        observation(1n, 1n, 'battery plant', { occurredAt: instant('2026-11-02T00:00:00Z') }),
        observation(2n, 2n, 'battery plant', { occurredAt: instant('2026-02-02T00:00:00Z') }),
        observation(3n, 3n, 'battery plant', { occurredAt: instant('2023-02-02T00:00:00Z') }),
        observation(4n, 4n, 'battery plant', { occurredAt: instant('2011-02-02T00:00:00Z') }),
      ],
    });
  });
  afterEach(() => subject[Symbol.asyncDispose]());

  test('observations beyond the retention are discarded, and a search for them reports that it is incomplete', async () => {
    await subject.index.maintain();
    expect(await found()).toMatchObject({ monthsLeftOut: true });
    now += LATER_MS;
    await subject.index.maintain();
    expect(await found()).toEqual({ ids: [1n, 2n], monthsLeftOut: true });
    expect(await found(instant('2026-01-15T00:00:00Z'))).toEqual({ ids: [1n, 2n], monthsLeftOut: false });
    expect((await subject.index.size()).observations).toBe(2n);
  });

  test('observations beyond the retention are not indexed again, until a rebuild keeps them', async () => {
    await discardOld();
    const old = observation(3n, 3n, 'battery plant', { version: 2n, occurredAt: instant('2023-02-02T00:00:00Z') });
    const another = observation(5n, 3n, 'battery plant', { occurredAt: instant('2024-02-02T00:00:00Z') });
    await subject.apply({ observations: [old, another] });
    expect((await found()).ids).toEqual([1n, 2n]);
    const longer = subject.another({ keptMonths: 0 });
    expect(await longer.beginRebuild()).toBe(true);
    const { live } = await longer.feedState();
    if (!live) throw new Error('nothing was applied');
    await longer.apply(
      { ...batchOf({ observations: [old] }), range: { feed: 'rebuild', from: undefined, to: live, complete: true } },
      1n,
    );
    await longer.finishRebuild(1n);
    const { hits, monthsLeftOut } = await subject.rankWith(longer)('battery');
    expect({ ids: hits.map((hit) => hit.companyId), monthsLeftOut }).toEqual({ ids: [3n], monthsLeftOut: false });
  });

  /** Runs maintenance twice: the first run marks, the second discards. */
  async function discardOld(): Promise<void> {
    await subject.index.maintain();
    now += LATER_MS;
    await subject.index.maintain();
  }

  async function found(occurredAfter?: Timestamp) {
    const { hits, monthsLeftOut } = await subject.rank('battery', filters(occurredAfter ? { occurredAfter } : {}));
    return { ids: hits.map((hit) => hit.companyId).toSorted(), monthsLeftOut };
  }
});
