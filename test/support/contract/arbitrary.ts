import fc from 'fast-check';

/** Hostile input: mostly valid values, sometimes nearly valid ones, sometimes arbitrary ones. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '"glass', '-', '"" -""', '\u0000', "'; drop table", '%', '\\', 'x'.repeat(300)),
);
const number = fc.oneof(fc.integer({ min: -1, max: 60 }), fc.maxSafeInteger(), fc.double());
export const anything = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }));

const oneOf = (...values: unknown[]) => fc.constantFrom(...values);
export const mostly = (good: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 40, arbitrary: good }, { weight: 1, arbitrary: anything });
const list = (item: fc.Arbitrary<unknown>) => mostly(fc.array(mostly(item), { maxLength: 3 }));

const record = (fields: Record<string, fc.Arbitrary<unknown>>, ...required: string[]) =>
  fc.oneof(
    { weight: 40, arbitrary: fc.record(fields, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record({ ...fields, more: anything }, { requiredKeys: [] }) },
  );

const words = fc.oneof(
  oneOf('refrigerated warehouse', '"tempered glass" -rail', 'cold storage in Canada since 2023'),
  text.filter((value) => value.trim() !== '' && value.isWellFormed() && !value.includes('\0')),
);
const among = (good: readonly string[], bad: readonly string[]) =>
  fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...bad) });
export const instant = among(
  ['2020-01-01T00:00:00Z', '2026-01-01T12:00:00.5-05:00', '9999-12-31T23:59:59+14:00'],
  ['2016-12-31T23:59:60Z', '0000-01-01T00:00:00Z', '2020-01-01', ''],
);
export const hostname = among(
  ['maple.example', ' SHARED.example. ', 'bücher.example', 'a-b.example'],
  ['xn--', '..', 'http://x.example', 'a@x.example', ''],
);
const ids = list(fc.integer({ min: 1, max: 9 }));
const evidenceFilters = {
  countries: list(oneOf('CA', 'US')),
  kinds: list(oneOf('company_profile', 'procurement_request', 'facility_expansion')),
  demand_classes: list(oneOf('explicit_request', 'proxy', 'structural')),
  occurred_after: mostly(instant),
  observed_after: mostly(instant),
};
const companyFilters = {
  company_ids: ids,
  domains: list(hostname),
  exclude_company_ids: ids,
  exclude_domains: list(hostname),
};
const page = { limit: mostly(fc.integer({ min: 1, max: 12 })) };
const target = { target: mostly(fc.integer({ min: 12, max: 40 })), background: mostly(fc.boolean()) };

export const companySearch = fc.oneof(
  ...[{}, companyFilters].map((more) =>
    record(
      { query: mostly(words), filters: mostly(record({ ...evidenceFilters, ...more })), ...page, ...target },
      'query',
    ),
  ),
  record({ query: mostly(words), cursor: text }, 'query', 'cursor'),
);
export const observationSearch = record(
  { query: mostly(words), filters: mostly(record(evidenceFilters)), ...page },
  'query',
);
export const observationLookup = record(
  { domains: list(hostname), since: mostly(instant), ...page },
  'domains',
  'since',
);
export const companyLookup = fc.oneof(
  record({ ids: list(fc.integer({ min: 1, max: 9 })) }, 'ids'),
  record({ domains: list(hostname) }, 'domains'),
);

/**
 * A percent-encoded id of a path. It excludes `.` and `..`, because a client resolves these itself.
 */
export const pathId = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }).map(String) },
  {
    weight: 1,
    arbitrary: fc
      .oneof(
        text.filter((value) => value.isWellFormed() && !/^(\.|\.\.|)$/.test(value)),
        number.map(String),
      )
      .map(encodeURIComponent),
  },
);

export function queryString(parameters: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<string> {
  const pairs = Object.entries(parameters).map(([name, value]) =>
    fc.tuple(
      fc.oneof({ weight: 40, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: fc.constant('more') }),
      fc.oneof(
        { weight: 20, arbitrary: value.map((each) => encodeURIComponent(textOf(each))) },
        { weight: 1, arbitrary: pathId },
      ),
    ),
  );
  return fc.array(fc.oneof(...pairs), { maxLength: 4 }).map((chosen) =>
    chosen
      .map((pair) => `?${pair.join('=')}`)
      .join('')
      .replaceAll(/(?<!^)\?/g, '&'),
  );
}

/** Some generated objects have a `toString` property that is not a function. */
function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
