import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import type { IndexUnderTest } from '../../../test-support/index-under-test.ts';

const FACTS: readonly (readonly [string, Country, Kind])[] = [
  ['opened a mill in Ontario, CA', Country.US, Kind.FACILITY_EXPANSION],
  ['opened a mill in Sudbury, ON', Country.CA, Kind.FACILITY_EXPANSION],
  ['posted an opening for a summer internship in Calgary, AB', Country.CA, Kind.JOB_POSTING],
  ['posted an opening for a miller in Austin, TX', Country.US, Kind.JOB_POSTING],
  ['tenders paper of West Virginia', Country.US, Kind.PROCUREMENT_REQUEST],
  ['tenders paper of Virginia', Country.US, Kind.PROCUREMENT_REQUEST],
];

const CA = { countries: [Country.CA] };

describeEngines((openIndex) => {
  let subject: IndexUnderTest;

  beforeAll(async () => {
    subject = await openIndex();
    await subject.apply({
      companies: FACTS.map((_, at) => company(BigInt(at + 1), `Company ${at + 1}`)),
      observations: FACTS.map(([fact, country, kind], at) =>
        observation(BigInt(at + 1), BigInt(at + 1), fact, {
          country,
          kind,
          occurredAt: instant(`${2011 + at}-06-01T00:00:00Z`),
        }),
      ),
    });
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  test.each(['in Canada', 'au Canada', 'Canadian companies', 'companies based in Canada', 'in CA'])(
    '"%s" inside Canada finds what the filter leaves in, the newest first',
    async (query) => {
      expect(await subject.companiesFor(query, filters(CA))).toEqual([3n, 2n]);
    },
  );

  test('a country that no filter demands finds what is of it, the newest first', async () => {
    expect(await subject.companiesFor('in Canada')).toEqual([3n, 2n]);
  });

  test('a query of only a place finds observations there, and homonyms only after them', async () => {
    expect((await subject.companiesFor('in Ontario')).slice(0, 1)).toEqual([2n]);
    expect((await subject.companiesFor('in Ontario, CA')).slice(0, 1)).toEqual([1n]);
    expect((await subject.companiesFor('paper in Virginia')).slice(0, 2)).toEqual([6n, 5n]);
    expect((await subject.companiesFor('in Alberta')).slice(0, 1)).toEqual([3n]);
  });

  test('a place inside a named place is weaker evidence than its name, and stronger than no evidence', async () => {
    await using small = await openIndex();
    await small.apply({
      companies: [1n, 2n, 3n].map((id) => company(id, `Mill ${id}`)),
      observations: [
        observation(1n, 1n, 'opened a mill in Boise'),
        observation(2n, 2n, 'opened a mill in Calgary'),
        observation(3n, 3n, 'opened a mill in Alberta'),
      ],
    });
    expect(await small.companiesFor('mill in Alberta')).toEqual([3n, 2n, 1n]);
  });

  test('a city of the same name in another state is no evidence of a named place', async () => {
    await using small = await openIndex();
    const facts = ['opened a mill in Ottawa', 'opened a mill in Ottawa, KS 66067', 'opened a mill in Boise'];
    await small.apply({
      companies: facts.map((_, at) => company(BigInt(at + 1), `Mill ${at + 1}`)),
      observations: facts.map((fact, at) => observation(BigInt(at + 1), BigInt(at + 1), fact)),
    });
    const { hits } = await small.rank('mill in Ontario');
    expect(hits.filter(({ placeFactor }) => placeFactor === 1).map(({ companyId }) => companyId)).toEqual([1n]);
  });

  test('a query of only a time finds the events in it', async () => {
    expect(await subject.companiesFor('since 2015')).toEqual([6n, 5n]);
    expect(await subject.companiesFor('before 2013')).toEqual([2n, 1n]);
    expect(await subject.companiesFor('in 2013')).toEqual([3n]);
    expect((await subject.companiesFor('tenders before 2016')).slice(0, 2)).toEqual([5n, 6n]);
  });

  test('negated observations come last, those excluded by a minus do not come at all', async () => {
    expect(await subject.companiesFor('not internships', filters(CA))).toEqual([2n, 3n]);
    expect(await subject.companiesFor('openings, not internships')).toEqual(expect.arrayContaining([4n, 3n]));
    expect((await subject.companiesFor('openings, not internships')).indexOf(4n)).toBeLessThan(
      (await subject.companiesFor('openings, not internships')).indexOf(3n),
    );
    expect((await subject.companiesFor('not in Texas')).at(-1)).toBe(4n);
    expect(await subject.companiesFor('-internship', filters(CA))).toEqual([2n]);
  });

  test('a query of only a kind finds all of it, newest first', async () => {
    expect((await subject.companiesFor('tenders')).slice(0, 2)).toEqual([6n, 5n]);
    expect((await subject.companiesFor('hiring')).slice(0, 2)).toEqual([4n, 3n]);
  });

  test('a word that names a kind and supports it is required of nothing that is of the kind', async () => {
    expect(await subject.companiesFor('expansion')).toEqual([2n, 1n]);
    expect((await subject.companiesFor('expansion in Ontario')).slice(0, 1)).toEqual([2n]);
    await using small = await openIndex();
    await small.apply({
      companies: [1n, 2n, 3n].map((id) => company(id, `Mill ${id}`)),
      observations: [
        observation(1n, 1n, 'an expansion of the mill'),
        observation(2n, 2n, 'opened a mill', { occurredAt: instant('2026-10-20T00:00:00Z') }),
        observation(3n, 3n, 'tenders paper', { kind: Kind.PROCUREMENT_REQUEST }),
      ],
    });
    expect(await small.companiesFor('expansion')).toEqual([1n, 2n]);
    expect(await small.companiesFor('expansion and tenders')).toEqual(expect.arrayContaining([1n, 2n]));
  });
});
