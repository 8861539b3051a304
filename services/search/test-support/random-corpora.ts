import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import fc from 'fast-check';
import { factsOfText } from '../src/facts/facts-of-text.ts';
import { ACTIVITY_KINDS, company, filters, observation } from './documents.ts';

const WORDS =
  'warehouse robots battery plant cells solar hydrogen cloud data center bakery insurance casualty harbor freight logistics steel drone biotech trial vaccine retail clinic hospital chips fab expands opens builds hires appoints chief officer acquires raises funding launches new the of and in a large second facility campus line product partnership layoffs software security network'.split(
    ' ',
  );
const FEW_WORDS = WORDS.slice(0, 6);
const PLACES = [
  'Dallas, Texas',
  'Texas',
  'Ontario',
  'Toronto',
  'Reno, NV',
  'Nevada',
  'West Virginia',
  'Virginia',
  'Canada',
  'Austin',
  'New York',
];
const KIND_NAMES = [
  'executive departures',
  'new facilities',
  'funding rounds',
  'hiring',
  'acquisitions',
  'product launches',
  'partnerships',
  'company profile',
  'leadership changes',
];
const TIMES = ['since 2025', 'in 2026', 'before March 2026', 'last month', 'in 2024'];
const FACTS = ['more than $50 million', 'Series A', 'over 200 jobs', '$20 million', '100 MW'];
const SAID_FACTS = ['$75 million', '$20 million', 'Series A', 'Series B', '300 jobs', '150 MW'];
const MISSPELT = ['warehose', 'batery', 'hydrogn', 'insurence', 'logistcs'];
const NAMES = [
  'Harbor',
  'Corner',
  'Acme',
  'Pioneer',
  'Global',
  'Steel',
  'Cloud',
  'Texas',
  'Battery',
  'Systems',
  'Inc',
  'Mutual',
  'Labs',
];

const day = (at: number) => timestampFromDate(new Date(Date.UTC(2024, 0, 1) + at * 86_400_000));
const HOUR_AGO = timestampFromDate(new Date(Date.now() - 3_600_000));
const LATER = timestampFromDate(new Date(Date.now() + 36_000_000));

const ALL_KINDS: Kind[] = [...ACTIVITY_KINDS, Kind.COMPANY_PROFILE];

const textOf = (vocabulary: readonly string[], words: number, others: readonly fc.Arbitrary<string>[] = []) =>
  fc
    .array(
      fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...vocabulary) },
        ...others.map((arbitrary) => ({ weight: 1, arbitrary })),
      ),
      {
        minLength: 1,
        maxLength: words,
      },
    )
    .map((all) => all.join(' '));
const country = fc.constantFrom(Country.US, Country.CA);

export interface Shape {
  /** Companies have descriptions, and few enough observations that all are read. */
  readonly described: boolean;
  /** Texts contain facts, whose lexemes count in the length in only one engine. */
  readonly saysFacts: boolean;
  readonly fewWords: boolean;
}

/** Generates a few dozen companies with short texts, whose lengths every engine knows exactly. */
export function corpusOf({ described, saysFacts, fewWords }: Shape) {
  const vocabulary = fewWords ? FEW_WORDS : WORDS;
  const text = textOf(vocabulary, 26, [
    fc.constantFrom(...PLACES),
    ...(saysFacts ? [fc.constantFrom(...SAID_FACTS)] : []),
  ]);
  const oneObservation = fc.record({
    text,
    kind: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...ACTIVITY_KINDS) },
      { weight: 1, arbitrary: fc.constant(Kind.COMPANY_PROFILE) },
    ),
    country,
    at: fc.option(fc.constantFrom(100, 300, 500, 700, 800, 900, 1_000, 1_020), { freq: 8, nil: undefined }),
    observed: fc.option(fc.constantFrom(400, 800, 1_010), { freq: 8, nil: undefined }),
    until: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, fc.constant(HOUR_AGO), fc.constant(LATER)),
    gone: fc.integer({ min: 0, max: 14 }).map((one) => one === 0),
  });
  const oneCompany = fc.record({
    name: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((all) => all.join(' ')),
    profile: described
      ? fc.oneof(
          textOf(vocabulary, 20).filter((said) => factsOfText(said, Kind.COMPANY_PROFILE).lexemes.length === 0),
          fc.constant(''),
        )
      : fc.constant(''),
    country,
    domain: fc.constantFrom('', 'a.example', 'b.example', 'c.example'),
    supported: fc.constantFrom(undefined, HOUR_AGO, LATER),
    mergedInto: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 5 })),
    gone: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
    observations: fc.array(
      oneObservation.filter(({ text: said, kind }) => saysFacts || factsOfText(said, kind).lexemes.length === 0),
      { minLength: 0, maxLength: described ? 5 : 20 },
    ),
  });
  return fc.array(oneCompany, { minLength: 8, maxLength: described ? 60 : 20 }).map((companies) => ({
    companies: companies.map(({ name, profile, country: at, domain, supported, mergedInto, gone }, place) =>
      company(BigInt(place + 1), name, {
        profile: gone ? '' : profile,
        country: at,
        ...(mergedInto > 0 && { survivorId: BigInt(mergedInto) }),
        domains: domain === '' ? [] : [{ hostname: domain, ...(supported && { supportedUntil: supported }) }],
        tombstone: gone,
      }),
    ),
    observations: companies.flatMap((each, place) =>
      each.observations.map((one, nth) =>
        observation(BigInt(place * 100 + nth + 1), BigInt(place + 1), one.text, {
          kind: one.kind,
          country: one.country,
          occurredAt: one.at === undefined ? (one.kind === Kind.COMPANY_PROFILE ? undefined : day(950)) : day(one.at),
          observedAt: one.observed === undefined ? undefined : day(one.observed),
          ...(one.until && { deliverableUntil: one.until }),
          tombstone: one.gone,
        }),
      ),
    ),
  }));
}

/** Generates queries with all parts of a plan. */
export const queriesOf = ({ fewWords }: Shape) =>
  fc
    .record({
      words: fc.array(fc.constantFrom(...(fewWords ? FEW_WORDS : WORDS)), { maxLength: 5 }),
      kind: fc.option(fc.constantFrom(...KIND_NAMES), { freq: 2, nil: '' }),
      place: fc.option(fc.constantFrom(...PLACES), { freq: 2, nil: '' }),
      time: fc.option(fc.constantFrom(...TIMES), { freq: 1, nil: '' }),
      fact: fc.option(fc.constantFrom(...FACTS), { freq: 1, nil: '' }),
      misspelt: fc.option(fc.constantFrom(...MISSPELT), { freq: 1, nil: '' }),
      phrase: fc.option(fc.constantFrom('data center', 'harbor', 'new the', 'chief officer', 'cloud', 'acme steel'), {
        freq: 1,
        nil: '',
      }),
      excluded: fc.option(fc.constantFrom('robots', 'inc', 'cloud', '"of and"', 'texas', '"data center"'), {
        freq: 1,
        nil: '',
      }),
      avoided: fc.option(fc.constantFrom('not bakery', 'except in Texas', 'not insurance', 'excluding layoffs'), {
        freq: 1,
        nil: '',
      }),
    })
    .map(({ words, kind, place, time, fact, misspelt, phrase, excluded, avoided }) =>
      [
        ...words,
        misspelt,
        kind,
        fact && `of ${fact}`,
        place && `in ${place}`,
        time,
        avoided,
        phrase && `"${phrase}"`,
        excluded && `-${excluded}`,
      ]
        .filter((part) => part !== '')
        .join(' '),
    );

const ids = fc.array(fc.bigInt({ min: 1n, max: 20n }), { maxLength: 6 });
const domains = fc.array(fc.constantFrom('a.example', 'b.example', 'c.example', 'none.example'), { maxLength: 2 });
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 1, nil: undefined });
/** Generates filters, mostly with few conditions. */
export const withinFilters: fc.Arbitrary<SearchFilters> = fc
  .record({
    kinds: fc.oneof(
      fc.constant<Kind[]>([...ACTIVITY_KINDS]),
      fc.constant(ALL_KINDS),
      fc.subarray(ALL_KINDS, { minLength: 1 }),
    ),
    countries: fc.oneof({ weight: 3, arbitrary: fc.constant<Country[]>([]) }, fc.subarray([Country.US, Country.CA])),
    after: rarely(fc.constantFrom(300, 700, 900)),
    profileAfter: rarely(fc.constantFrom(300, 700, 900)),
    observedAfter: rarely(fc.constantFrom(400, 800)),
    companyIds: rarely(ids),
    excludeCompanyIds: rarely(ids),
    domains: rarely(domains),
    excludeDomains: rarely(domains),
  })
  .map((one) =>
    filters({
      kinds: one.kinds,
      countries: one.countries,
      ...(one.after !== undefined && { occurredAfter: day(one.after) }),
      ...(one.profileAfter !== undefined && { profileOccurredAfter: day(one.profileAfter) }),
      ...(one.observedAfter !== undefined && { observedAfter: day(one.observedAfter) }),
      companyIds: one.companyIds ?? [],
      excludeCompanyIds: one.excludeCompanyIds ?? [],
      domains: one.domains ?? [],
      excludeDomains: one.excludeDomains ?? [],
    }),
  );
