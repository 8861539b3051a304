import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import type { IndexUnderTest } from '../../../test-support/index-under-test.ts';

describeEngines((openIndex) => {
  let subject: IndexUnderTest;
  beforeEach(async () => {
    subject = await openIndex();
  });
  afterEach(() => subject[Symbol.asyncDispose]());

  test('a rebuild rewrites known versions and drops what the record no longer has', async () => {
    await subject.apply({
      observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery storage')],
      companies: [company(1n, 'One', { profile: 'bakes bread' }), company(2n, 'Two', { profile: 'bakes bread' })],
    });
    expect(await subject.index.beginRebuild()).toBe(true);
    expect(await subject.index.beginRebuild()).toBe(false);
    await subject.applyRebuild({
      observations: [observation(1n, 1n, 'flour mill')],
      companies: [company(1n, 'One')],
    });
    expect(await subject.companiesFor('battery')).toContain(2n);
    await subject.index.finishRebuild(0n);
    expect(await subject.index.feedState()).toMatchObject({ rebuilding: true });
    await subject.index.finishRebuild(1n);
    expect(await subject.companiesFor('battery flour bread')).toEqual([1n]);
    expect(await subject.index.size()).toMatchObject({ observations: 1n, companies: 1n });
    expect(await subject.index.feedState()).toMatchObject({ rebuilding: false });
  });

  test('changes during a rebuild are found at once and stay', async () => {
    await subject.apply({ observations: [observation(1n, 1n, 'battery plant')] });
    await subject.index.beginRebuild();
    await subject.apply({
      observations: [observation(1n, 1n, 'flour mill', { version: 2n }), observation(2n, 2n, 'battery storage')],
    });
    expect(await subject.companiesFor('battery')).toEqual([2n]);
    await subject.applyRebuild({
      observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery storage')],
    });
    expect(await subject.companiesFor('battery')).toEqual([2n]);
    await subject.index.finishRebuild(1n);
    expect(await subject.companiesFor('battery')).toEqual([2n]);
    expect(await subject.companiesFor('flour')).toEqual([1n]);
  });

  test('an index whose record has another history goes on in it, and is rebuilt', async () => {
    await subject.apply({
      observations: [observation(1n, 1n, 'battery plant', { version: 5n }), observation(2n, 2n, 'flour mill')],
    });
    const { live } = await subject.index.feedState();
    if (!live) throw new Error('nothing was applied');
    const to = { ...live, tx: 1n, epoch: 'another' };
    expect(await subject.index.restart({ ...live, tx: 9n }, to, 1n)).toBe(false);
    expect(await subject.index.restart(live, to, 0n)).toBe(false);
    expect(await subject.index.restart(live, to, 1n)).toBe(true);
    expect(await subject.index.feedState()).toMatchObject({ live: { epoch: 'another' }, rebuilding: true });
    await subject.applyRebuild({ observations: [observation(1n, 1n, 'battery storage', { version: 2n })] });
    await subject.index.finishRebuild(1n);
    expect(await subject.companiesFor('storage')).toEqual([1n]);
    expect(await subject.companiesFor('plant mill')).toEqual([]);
  });

  test('every search during a rebuild finds everything', async () => {
    const observations = Array.from({ length: 400 }, (_, at) =>
      observation(BigInt(at + 1), BigInt(at + 1), 'flour mill'),
    );
    await subject.apply({ observations: [...observations, observation(401n, 401n, 'battery plant')] });
    expect(await subject.index.beginRebuild()).toBe(true);
    const rebuilt = subject.applyRebuild({ observations }).then(() => subject.index.finishRebuild(1n));
    let isOver = false;
    const over = rebuilt.finally(() => {
      isOver = true;
    });
    const counts: number[] = [];
    do counts.push((await subject.companiesFor('flour')).length);
    while (!isOver);
    await over;
    expect(new Set(counts)).toEqual(new Set([100]));
    expect(await subject.companiesFor('battery')).toEqual([]);
  });
});
