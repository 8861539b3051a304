import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import type { IndexUnderTest } from '../../../test-support/index-under-test.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

describeEngines((openIndex) => {
  let subject: IndexUnderTest;
  beforeEach(async () => {
    subject = await openIndex({ clock: { now: () => NOW } });
  });
  afterEach(() => subject[Symbol.asyncDispose]());

  test('a version that is known, or older, changes nothing', async () => {
    await subject.apply({ observations: [observation(1n, 1n, 'battery plant', { version: 2n })] });
    await subject.apply({ observations: [observation(1n, 1n, 'flour mill', { version: 2n })] });
    await subject.apply({ observations: [observation(1n, 1n, 'flour mill', { version: 1n })] });
    expect(await subject.companiesFor('battery')).toEqual([1n]);
    expect(await subject.companiesFor('flour')).toEqual([]);
  });

  test('an older version of a company changes nothing, and only a newer version restores a deleted one', async () => {
    const domains = [{ hostname: 'one.example' }];
    await subject.apply({
      observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery plant')],
      companies: [company(1n, 'One', { version: 3n, profile: 'bakes bread' })],
    });
    await subject.apply({ observations: [{ id: 2n, version: 2n, tombstone: true }] });
    await subject.apply({
      observations: [observation(2n, 2n, 'battery plant')],
      companies: [company(1n, 'One', { version: 2n, profile: 'grinds flour', domains })],
    });
    expect(await subject.companiesFor('battery')).toEqual([1n]);
    expect(await subject.companiesFor('bread')).toEqual([1n]);
    expect(await subject.companiesFor('flour')).toEqual([]);
    expect(await subject.companiesFor('battery', filters({ domains: ['one.example'] }))).toEqual([]);
  });

  test('a newer version replaces the text, the company and the time', async () => {
    await subject.apply({ observations: [observation(1n, 1n, 'battery plant')] });
    const newer = { version: 2n, occurredAt: instant('2023-05-05T00:00:00Z') };
    await subject.apply({ observations: [observation(1n, 2n, 'flour mill', newer)] });
    expect(await subject.companiesFor('battery flour')).toEqual([2n]);
    const since = (text: string) => filters({ occurredAfter: instant(text) });
    expect(await subject.companiesFor('flour', since('2023-05-05T00:00:00Z'))).toEqual([2n]);
    expect(await subject.companiesFor('flour', since('2024-01-01T00:00:00Z'))).toEqual([]);
    expect((await subject.index.size()).observations).toBe(1n);
  });

  test('a tombstone takes an observation out, a later version brings it back', async () => {
    await subject.apply({ observations: [observation(1n, 1n, 'battery plant')] });
    await subject.apply({ observations: [{ id: 1n, version: 2n, tombstone: true }] });
    expect(await subject.companiesFor('battery')).toEqual([]);
    expect((await subject.index.size()).observations).toBe(0n);
    await subject.apply({ observations: [observation(1n, 1n, 'battery plant', { version: 3n })] });
    expect(await subject.companiesFor('battery')).toEqual([1n]);
  });

  test('a company that was merged gives way to its survivor', async () => {
    const profile = 'bakes bread';
    await subject.apply({
      companies: [company(1n, 'One', { profile }), company(2n, 'Two', { profile })],
      observations: [observation(11n, 1n, 'hired a baker'), observation(12n, 2n, 'hired a miller')],
    });
    await subject.apply({
      companies: [company(2n, 'Two', { version: 2n, survivorId: 1n }), company(1n, 'One', { version: 2n, profile })],
      observations: [observation(12n, 1n, 'hired a miller', { version: 2n })],
    });
    expect(await subject.companiesFor('bread')).toEqual([1n]);
    expect(await subject.companiesFor('miller', filters({ countries: [Country.US] }))).toEqual([1n]);
  });

  test('a company that is gone leaves neither a description nor domains', async () => {
    const domains = [{ hostname: 'one.example' }];
    await subject.apply({
      companies: [company(1n, 'One', { profile: 'bakes bread', domains })],
      observations: [observation(11n, 1n, 'hired a baker')],
    });
    await subject.apply({ companies: [{ id: 1n, version: 2n, tombstone: true }] });
    expect(await subject.companiesFor('bread')).toEqual([]);
    expect(await subject.companiesFor('baker', filters({ domains: ['one.example'] }))).toEqual([]);
  });
});
