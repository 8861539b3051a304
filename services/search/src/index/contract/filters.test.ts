import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import type { IndexUnderTest } from '../../../test-support/index-under-test.ts';

const ALL = [1n, 2n, 3n, 4n, 5n];
describeEngines((openIndex) => {
  let subject: IndexUnderTest;

  beforeAll(async () => {
    subject = await openIndex();
    const past = instant('2020-01-01T00:00:00Z');
    const domains = (hostname: string, supportedUntil?: typeof past) => ({
      domains: [{ hostname, ...(supportedUntil && { supportedUntil }) }],
    });
    await subject.apply({
      companies: [
        company(1n, 'One', domains('one.example')),
        company(2n, 'Two', domains('two.example')),
        company(3n, 'Three', domains('one.example', past)),
        company(4n, 'Four', domains('shared.example')),
        company(5n, 'Five', domains('shared.example')),
        company(6n, 'Six', { ...domains('merged.example'), survivorId: 1n }),
      ],
      observations: [
        observation(11n, 1n, 'battery one', { country: Country.CA, kind: Kind.PROCUREMENT_REQUEST }),
        observation(12n, 2n, 'battery two', { occurredAt: instant('2026-06-01T00:00:00Z') }),
        observation(13n, 3n, 'battery three', { observedAt: instant('2026-11-01T00:00:00Z') }),
        observation(14n, 4n, 'battery four', { deliverableUntil: instant('2999-01-01T00:00:00Z') }),
        observation(15n, 5n, 'battery five', { occurredAt: instant('2014-02-01T00:00:00Z') }),
        observation(16n, 9n, 'battery expired', { deliverableUntil: past }),
        { ...observation(17n, 7n, 'battery profile', { kind: Kind.COMPANY_PROFILE }), occurredAt: undefined },
        observation(18n, 8n, 'battery profile', { kind: Kind.COMPANY_PROFILE }),
      ],
    });
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  async function found(init: Parameters<typeof filters>[0]): Promise<bigint[]> {
    return (await subject.companiesFor('battery', filters(init))).toSorted();
  }

  test('empty lists do not restrict; observations that are no longer deliverable are not found', async () => {
    expect(await found({})).toEqual(ALL);
  });

  test('values of one field are alternatives, fields hold together', async () => {
    expect(await found({ countries: [Country.CA] })).toEqual([1n]);
    expect(await found({ countries: [Country.CA, Country.US] })).toEqual(ALL);
    expect(await found({ kinds: [Kind.PROCUREMENT_REQUEST] })).toEqual([1n]);
    expect(await found({ kinds: [Kind.PROCUREMENT_REQUEST], countries: [Country.US] })).toEqual([]);
    expect(await found({ companyIds: [1n, 2n, 99n], countries: [Country.US] })).toEqual([2n]);
  });

  test('the event cutoff is inclusive and reaches across partitions', async () => {
    expect(await found({ occurredAfter: instant('2026-06-01T00:00:00Z') })).toEqual([1n, 2n, 3n, 4n]);
    expect(await found({ occurredAfter: instant('2026-06-01T00:00:00.001Z') })).toEqual([1n, 3n, 4n]);
    expect(await found({ occurredAfter: instant('2014-01-31T00:00:00Z') })).toEqual(ALL);
    expect(await found({ occurredAfter: instant('1950-01-01T00:00:00Z') })).toEqual(ALL);
    expect(await found({ occurredAfter: instant('2030-01-01T00:00:00Z') })).toEqual([]);
  });

  test('the collection cutoff is inclusive', async () => {
    expect(await found({ observedAfter: instant('2026-11-01T00:00:00Z') })).toEqual([3n]);
    expect(await found({ observedAfter: instant('2026-11-01T00:00:00.001Z') })).toEqual([]);
  });

  test('profiles have a cutoff of their own, which leaves undated ones out', async () => {
    const kinds = [Kind.COMPANY_PROFILE];
    expect(await found({ kinds })).toEqual([7n, 8n]);
    expect(await found({ kinds, occurredAfter: instant('2030-01-01T00:00:00Z') })).toEqual([7n, 8n]);
    expect(await found({ kinds, profileOccurredAfter: instant('2026-10-01T00:00:00Z') })).toEqual([8n]);
    expect(await found({ kinds, profileOccurredAfter: instant('2026-10-02T00:00:00Z') })).toEqual([]);
    const both = [Kind.COMPANY_PROFILE, Kind.FACILITY_EXPANSION];
    expect(await found({ kinds: both, occurredAfter: instant('2026-09-01T00:00:00Z') })).toEqual([3n, 4n, 7n, 8n]);
  });

  test('a hostname selects the companies that current evidence ties to it', async () => {
    expect(await found({ domains: ['one.example'] })).toEqual([1n]);
    expect(await found({ domains: ['shared.example', 'two.example'] })).toEqual([2n, 4n, 5n]);
    expect(await found({ domains: ['merged.example'] })).toEqual([1n]);
    expect(await found({ domains: ['unknown.example'] })).toEqual([]);
    expect(await found({ domains: ['www.one.example'] })).toEqual([]);
  });

  test('exclusions win over inclusions', async () => {
    expect(await found({ excludeCompanyIds: [1n, 99n] })).toEqual([2n, 3n, 4n, 5n]);
    expect(await found({ excludeDomains: ['shared.example', 'one.example'] })).toEqual([2n, 3n]);
    expect(await found({ companyIds: [1n, 2n], excludeCompanyIds: [2n] })).toEqual([1n]);
    expect(await found({ domains: ['shared.example'], excludeCompanyIds: [4n] })).toEqual([5n]);
    expect(await found({ companyIds: [1n], excludeDomains: ['one.example'] })).toEqual([]);
  });
});
