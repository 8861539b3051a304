import { create } from '@bufbuild/protobuf';
import { type ChangePosition, ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import { batchOf, type IndexUnderTest } from '../../../test-support/index-under-test.ts';
import type { FeedRange } from '../observation-index.ts';

// The feed's position is never ahead of what searches see, and apply is idempotent. A refused range
// may or may not have written documents; the leader applies it again.

describeEngines((openIndex) => {
  let subject: IndexUnderTest;
  beforeEach(async () => {
    subject = await openIndex();
  });
  afterEach(() => subject[Symbol.asyncDispose]());

  async function state() {
    await subject.index.refreshStatistics();
    const { hits } = await subject.rank('battery flour bread');
    const { observations, companies } = await subject.index.size();
    return { hits, observations, companies };
  }

  test('a reader moves the feed only from its present position, and never past a reader with a higher fence', async () => {
    const nothing = batchOf({});
    await subject.index.apply({ ...nothing, range: live(undefined, 5n) }, 1n);
    await expect(subject.index.apply({ ...nothing, range: live(undefined, 9n) }, 1n)).rejects.toThrow('moved');
    await expect(subject.index.apply({ ...nothing, range: live(4n, 9n) }, 1n)).rejects.toThrow('moved');
    expect((await subject.index.feedState()).live).toMatchObject({ tx: 5n });
    await subject.index.apply({ ...nothing, range: live(5n, 6n) }, 2n);
    await expect(subject.index.apply({ ...nothing, range: live(6n, 9n) }, 1n)).rejects.toThrow('moved');
    expect((await subject.index.feedState()).live).toMatchObject({ tx: 6n });
  });

  test('a batch that is applied twice changes nothing', async () => {
    const batch = batchOf({
      observations: [
        observation(1n, 1n, 'battery plant'),
        observation(2n, 2n, 'battery battery'),
        observation(3n, 1n, 'flour'),
      ],
      companies: [company(1n, 'One', { profile: 'bakes bread' }), company(2n, 'Two')],
    });
    await subject.index.apply({ ...batch, range: live(undefined, 5n) }, 1n);
    const once = await state();
    await expect(subject.index.apply({ ...batch, range: live(undefined, 5n) }, 1n)).rejects.toThrow('moved');
    expect(await state()).toEqual(once);
    await subject.index.apply({ ...batch, range: live(5n, 6n) }, 1n);
    expect(await state()).toEqual(once);
  });

  test('pages that overlap end as the newest versions say, in whatever order they come', async () => {
    const older = batchOf({
      observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery plant')],
      companies: [company(1n, 'One', { profile: 'bakes bread' })],
    });
    const newer = batchOf({
      observations: [observation(1n, 3n, 'flour mill', { version: 2n }), { id: 2n, version: 2n, tombstone: true }],
      companies: [company(1n, 'One', { version: 2n, profile: 'grinds flour' })],
    });
    await subject.index.apply({ ...newer, range: live(undefined, 5n) }, 1n);
    const once = await state();
    await subject.index.apply({ ...older, range: live(5n, 6n) }, 1n);
    await subject.index.apply({ ...newer, range: live(6n, 7n) }, 1n);
    expect(await state()).toEqual(once);
    expect(once.hits.map((hit) => hit.companyId)).toEqual([3n]);
  });

  test('a range that does not begin at the position is refused, and applied again it is as it should be', async () => {
    const before = batchOf({
      observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery plant')],
    });
    const change = batchOf({
      observations: [observation(1n, 1n, 'flour mill', { version: 2n }), { id: 2n, version: 2n, tombstone: true }],
      companies: [company(1n, 'One', { profile: 'bakes bread' })],
    });
    await subject.index.apply({ ...before, range: live(undefined, 5n) }, 1n);
    await expect(subject.index.apply({ ...change, range: live(4n, 9n) }, 1n)).rejects.toThrow('moved');
    expect((await subject.index.feedState()).live).toMatchObject({ tx: 5n });
    await subject.index.apply({ ...change, range: live(5n, 9n) }, 1n);
    expect(await subject.companiesFor('battery')).toEqual([]);
    expect(await subject.companiesFor('flour')).toEqual([1n]);
    expect(await subject.companiesFor('bread')).toEqual([1n]);
    expect((await subject.index.feedState()).live).toMatchObject({ tx: 9n });
  });

  test('writes of a reader with a lower fence do not survive the next write of the leader', async () => {
    const before = batchOf({ observations: [observation(1n, 1n, 'battery plant')] });
    const late = batchOf({ observations: [observation(1n, 1n, 'flour mill', { version: 2n })] });
    const leaders = batchOf({ observations: [observation(1n, 1n, 'battery storage', { version: 3n })] });
    await subject.index.apply({ ...before, range: live(undefined, 5n) }, 2n);
    await expect(subject.index.apply({ ...late, range: live(5n, 6n) }, 1n)).rejects.toThrow('moved');
    expect((await subject.index.feedState()).live).toMatchObject({ tx: 5n });
    await subject.index.apply({ ...leaders, range: live(5n, 7n) }, 2n);
    await expect(subject.index.apply({ ...late, range: live(5n, 6n) }, 1n)).rejects.toThrow('moved');
    expect(await subject.companiesFor('flour')).toEqual([]);
    expect(await subject.companiesFor('storage')).toEqual([1n]);
    expect((await subject.index.feedState()).live).toMatchObject({ tx: 7n });
  });

  test('of two readers that apply the same range at once one moves the feed', async () => {
    const batch = batchOf({ observations: [observation(1n, 1n, 'battery plant')] });
    const range = live(undefined, 5n);
    const both = await Promise.allSettled([
      subject.index.apply({ ...batch, range }, 1n),
      subject.another({}).apply({ ...batch, range }, 1n),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await subject.companiesFor('battery')).toEqual([1n]);
  });

  test('a search sees all that was applied up to the position that it answers with', async () => {
    const ranges = 30;
    let isOver = false;
    const applied = (async () => {
      for (let tx = 1n; tx <= ranges; tx += 1n) {
        const batch = batchOf({ observations: [observation(tx, tx, 'battery plant')] });
        await subject.index.apply({ ...batch, range: live(tx === 1n ? undefined : tx - 1n, tx) }, 1n);
      }
    })().finally(() => {
      isOver = true;
    });
    do {
      const { live: reached } = await subject.index.feedState();
      const { hits, position } = await subject.rank('battery');
      const seen = new Set(hits.map((hit) => hit.observationId));
      for (let id = 1n; id <= (position?.tx ?? 0n); id += 1n) expect(seen).toContain(id);
      expect(position?.tx ?? 0n).toBeGreaterThanOrEqual(reached?.tx ?? 0n);
    } while (!isOver);
    await applied;
    expect((await subject.rank('battery')).position).toMatchObject({ tx: BigInt(ranges) });
  });
});

function live(from: bigint | undefined, to: bigint): FeedRange {
  return { feed: 'live', from: from === undefined ? undefined : at(from), to: at(to), complete: true };
}

function at(tx: bigint): ChangePosition {
  return create(ChangePositionSchema, { tx, seq: 1n });
}
