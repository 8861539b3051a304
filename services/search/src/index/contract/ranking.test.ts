import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import { type IndexUnderTest, planOfWords } from '../../../test-support/index-under-test.ts';
import { MISSED_FACTOR } from '../../ranking/weights.ts';

describeEngines((openIndex) => {
  let subject: IndexUnderTest;

  beforeAll(async () => {
    subject = await openIndex();
    const job = { kind: Kind.JOB_POSTING };
    await subject.apply({
      companies: [
        company(1n, 'Harbor Mutual', { profile: 'Harbor Mutual sells property and casualty insurance.' }),
        company(2n, 'Corner Bakery', { profile: 'Corner Bakery bakes bread.' }),
        company(3n, 'Acme Cells'),
        company(4n, 'Tesla'),
        company(5n, 'Dawson Works'),
      ],
      observations: [
        observation(11n, 1n, 'posted an opening for Business Analyst in Boston, MA', job),
        observation(12n, 1n, 'posted an opening for Driver in Boston, MA', job),
        observation(21n, 2n, 'posted an opening for Business Analyst in Austin, TX', job),
        observation(31n, 3n, 'Acme Cells opened a battery plant in Reno, NV'),
        observation(32n, 3n, 'Acme Cells opened a battery plant in Greer, SC', { country: Country.US }),
        observation(33n, 3n, 'Acme Cells enlarged its battery plant in Reno, NV'),
        observation(34n, 3n, 'Acme Cells closed a battery plant'),
        observation(41n, 4n, 'A plant for batteries of cars opened in Austin, TX'),
        observation(51n, 5n, 'battery plant tender of Dawson', { kind: Kind.PROCUREMENT_REQUEST, country: Country.CA }),
        observation(52n, 5n, 'old battery plant', { occurredAt: instant('2015-01-01T00:00:00Z') }),
      ],
    });
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  test('the profile and the activity of a company are found together', async () => {
    const { hits } = await subject.rank('insurance companies hiring business analysts');
    expect(hits[0]).toMatchObject({ companyId: 1n, observationId: 11n });
    expect(hits[0]?.companyContext).toBeGreaterThan(0);
  });

  test('of two companies that fit alike the one whose evidence has a word of the query comes first, the other still comes', async () => {
    const profile = 'Builds cranes.';
    await subject.apply({
      companies: [company(8n, 'North Lifts', { profile }), company(9n, 'South Lifts', { profile })],
      observations: [
        observation(81n, 8n, 'enlarged a hall', { occurredAt: instant('2026-10-20T00:00:00Z') }),
        observation(
          91n,
          9n,
          'enlarged a hall for cranes and a long list of other things that are made beside them there',
        ),
      ],
    });
    const { hits } = await subject.rank('cranes');
    expect(hits.map((hit) => [hit.companyId, hit.answerFactor])).toEqual([
      [9n, 1],
      [8n, 0.8],
    ]);
  });

  test('a company shows at most three observations, the best ranked first', async () => {
    const { hits } = await subject.rank('battery plant', filters({ companyIds: [3n] }));
    expect(hits).toHaveLength(3);
    expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).toSorted((a, b) => b - a));
  });

  test('a kind named in words comes first and filters nothing', async () => {
    const tenders = await subject.companiesFor('tenders for a battery plant');
    expect(tenders[0]).toBe(5n);
    expect(tenders).toContain(3n);
  });

  test('a kind more in the filters takes no company away, whatever kind the words name', async () => {
    const kinds = [Kind.PROCUREMENT_REQUEST, Kind.JOB_POSTING, Kind.FACILITY_EXPANSION, Kind.LEADERSHIP_CHANGE];
    const queries = [
      'opening a battery plant',
      'battery opening',
      'hiring',
      'opening',
      'tender',
      'plants in Texas',
      'tender services',
    ];
    for (const query of [...queries, 'insurance companies opening a store', 'insurance tenders'])
      for (const kind of kinds) {
        const narrow = await subject.companiesFor(query, filters({ kinds: [kind] }));
        for (const other of kinds) {
          const wide = await subject.companiesFor(query, filters({ kinds: [kind, other] }));
          expect({ query, kind, other, lost: narrow.filter((id) => !wide.includes(id)) }).toMatchObject({ lost: [] });
        }
      }
  });

  test('a kind that is only read off words keeps no other out', async () => {
    const others = [Kind.PROCUREMENT_REQUEST, Kind.JOB_POSTING, Kind.FACILITY_EXPANSION];
    const among = async (kinds: Kind[]) => await subject.companiesFor('using insurance', filters({ kinds }));
    expect(await among(others)).toContain(1n);
    expect(await among([...others, Kind.TECHNOLOGY_USE])).toContain(1n);
  });

  test('a word that names a kind counts for other kinds, and finds observations where the query names nothing else', async () => {
    await using own = await openIndex();
    const tender = { kind: Kind.PROCUREMENT_REQUEST };
    await own.apply({
      observations: [
        observation(1n, 1n, 'recruiting of nurses', tender),
        observation(2n, 2n, 'schooling of nurses', tender),
        observation(3n, 3n, 'recruiting of drivers', tender),
      ],
    });
    const tenders = filters({ kinds: [Kind.PROCUREMENT_REQUEST] });
    expect(await own.companiesFor('recruiting nurses', tenders)).toEqual([1n, 2n]);
    expect((await own.companiesFor('recruiting services', tenders)).toSorted()).toEqual([1n, 3n]);
  });

  test('a place named in words comes first, written as a name or as a code', async () => {
    const { hits } = await subject.rank('battery plant in South Carolina');
    expect(hits[0]?.observationId).toBe(32n);
    expect(hits[0]?.place).toBeGreaterThan(0);
    expect((await subject.rank('battery plant in Canada')).hits[0]?.companyId).toBe(5n);
  });

  test('a place weighs as much as the matching words, and observations elsewhere come last', async () => {
    await using own = await openIndex();
    const merely = Array.from({ length: 30 }, (_, at) => `Farm ${at} produces plums in Salem, Oregon`);
    const texts = [...merely, 'Sawmills and a lumber yard in Reno, Nevada'];
    await own.apply({ observations: texts.map((text, at) => observation(BigInt(at + 1), BigInt(at + 1), text)) });
    const { hits } = await own.rank('sawmills and lumber producers in Oregon');
    expect(hits[0]?.placeFactor).toBe(1);
    expect(hits[0]?.place).toBeLessThan(2);
    expect(hits.at(-1)).toMatchObject({ companyId: 31n, place: 0, placeFactor: MISSED_FACTOR });
  });

  test('the profile of a company counts half with an observation that does not state its subject, in full with a filing', async () => {
    await using own = await openIndex();
    const filing = { kind: Kind.LEADERSHIP_CHANGE };
    await own.apply({
      companies: [company(1n, 'Amber', { profile: 'Makes chargers for cars.' })],
      observations: [
        observation(11n, 1n, 'a hall for tables', { kind: Kind.FACILITY_EXPANSION }),
        observation(12n, 1n, 'another person on top', filing),
      ],
    });
    const contextOf = async (query: string, kind: Kind) =>
      (await own.rank(query, filters({ kinds: [kind] }))).hits[0]?.companyContext ?? Number.NaN;
    const inFull = await contextOf('chargers, leadership change', Kind.LEADERSHIP_CHANGE);
    expect(inFull).toBeGreaterThan(0);
    expect(await contextOf('chargers, breaking ground', Kind.FACILITY_EXPANSION)).toBeCloseTo(inFull / 2);
  });

  test('events before the requested instant have a lower score', async () => {
    const { hits } = await subject.rank('battery since 2024', filters({ companyIds: [5n] }));
    expect(hits.map((hit) => hit.observationId)).toEqual([51n, 52n]);
  });

  test('any word is enough, and the stem of a word', async () => {
    expect((await subject.companiesFor('batteries zeppelins')).toSorted()).toEqual([3n, 4n, 5n]);
  });

  test('a quoted phrase must be in the text, word for word, or in the name or description of the company', async () => {
    expect((await subject.companiesFor('"battery plant"')).toSorted()).toEqual([3n, 5n]);
    expect(await subject.companiesFor('"Battery  plants"')).toEqual([]);
    expect(await subject.companiesFor('"casualty insurance" analyst')).toEqual([1n]);
    expect(await subject.companiesFor('"corner bakery" analyst')).toEqual([2n]);
    expect(await subject.companiesFor('"in a"')).toEqual([]);
  });

  test('a word after a minus must be neither in the text nor in the name', async () => {
    expect((await subject.companiesFor('battery -acme')).toSorted()).toEqual([4n, 5n]);
    expect((await subject.companiesFor('battery -"plant in Reno" -tesla -dawson')).toSorted()).toEqual([3n]);
    const { hits } = await subject.rank('battery -Reno', filters({ companyIds: [3n] }));
    expect(hits.map((hit) => hit.observationId).toSorted()).toEqual([32n, 34n]);
  });

  test('a company that fits is found by an older observation when its newest bear an excluded word', async () => {
    await using own = await openIndex();
    const newest = Array.from({ length: 8 }, (_, at) => observation(BigInt(20 + at), 1n, 'a store in Reno'));
    const older = observation(10n, 1n, 'a store in Austin', { occurredAt: instant('2025-01-01T00:00:00Z') });
    const bakery = company(1n, 'Corner', { profile: 'Corner bakes bread.' });
    await own.apply({ companies: [bakery], observations: [...newest, older] });
    const { hits } = await own.rank('bread -Reno');
    expect(hits.map((hit) => hit.observationId)).toEqual([10n]);
  });

  test('a long list of phrases and exclusions holds like a short one', async () => {
    const phrases = ['acme', 'cells', 'opened', 'a', 'battery', 'plant in', 'reno']
      .map((phrase) => `"${phrase}"`)
      .join(' ');
    const exclusions = ['-solar', '-wind', '-hydrogen', '-nuclear', '-coal', '-greer'].join(' ');
    const { hits } = await subject.rank(`${phrases} ${exclusions}`);
    expect(hits.map((hit) => hit.observationId)).toEqual([31n]);
    expect(await subject.companiesFor(`${phrases} "zeppelin"`)).toEqual([]);
    expect(await subject.companiesFor(`${phrases} ${exclusions} -tesla -nobody -acme`)).toEqual([]);
  });

  test('a query of only a kind or a place finds its observations', async () => {
    expect((await subject.companiesFor('hiring')).toSorted()).toEqual([1n, 2n]);
    expect((await subject.companiesFor('in Texas')).toSorted()).toEqual([2n, 4n]);
  });

  test('the profile of a company counts together with its activity, however many companies fit better', async () => {
    await using own = await openIndex();
    const better = Array.from({ length: 1_001 }, (_, at) =>
      company(BigInt(at + 2), `C${at}`, { profile: 'batteries' }),
    );
    const profile = 'Among a great many other things it also sells batteries of all sorts to whoever asks for one.';
    await own.apply({
      companies: [company(1n, 'General', { profile }), ...better],
      observations: [observation(1n, 1n, 'opened a warehouse'), observation(2n, 2n, 'opened a mill')],
    });
    const term = (word: string) => ({ words: [word], weight: 1, text: word });
    const { hits } = await own.rank(planOfWords(['warehouse'], { description: [term('batteries')] }));
    const found = hits.find(({ companyId }) => companyId === 1n);
    expect(found?.ownText).toBeGreaterThan(0);
    expect(found?.companyContext).toBeGreaterThan(0);
  });

  test('asked twice the order is the same', async () => {
    const once = await subject.rank('battery plant analyst opening');
    expect((await subject.rank('battery plant analyst opening')).hits).toEqual(once.hits);
  });
});
