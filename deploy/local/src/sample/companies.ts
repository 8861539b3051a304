import type { MessageInitShape } from '@bufbuild/protobuf';
import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyRecordSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import cities from './cities.json' with { type: 'json' };
import industries from './industries.json' with { type: 'json' };
import { type Random, seededRandom } from './random.ts';

interface Industry {
  /** Reads after "a company in". */
  readonly name: string;
  readonly sector: string;
  readonly trade: readonly string[];
  /** Reads after the company's name, in the present tense. */
  readonly does: readonly string[];
  readonly sites: readonly string[];
  readonly buys: readonly string[];
  readonly products: readonly string[];
  readonly tools: readonly string[];
  readonly roles: readonly string[];
  /** Reads after "partnership on". */
  readonly alliances: readonly string[];
}

interface Place {
  readonly city: string;
  readonly region: string;
  readonly country: 'CA' | 'US';
}

export interface SampleCompany {
  readonly recordKey: string;
  readonly name: string;
  /** Its own website first; a few companies also have the previous company's website. */
  readonly hostnames: readonly string[];
  readonly industry: Industry;
  readonly place: Place;
  readonly random: Random;
}

const INDUSTRIES: readonly Industry[] = industries;
/** The cities are real; the rest of the sample is invented. */
const PLACES = { CA: placesOf('CA'), US: placesOf('US') };

const BEGINNINGS =
  'Alder Ambel Arven Barrow Bexel Brannoch Calder Corven Dellan Dorvic Elmar Ester Fenn Galder Glenor Harrow Hester Ister Jarrow Kestrel Korvan Lanner Lorvik Marrow Mistel Norvan Oakel Ostrel Pellin Quarrin Ravel Rossen Selkirn Stannel Tamrin Torven Ulmer Vandel Wexel Yarrow'.split(
    ' ',
  );
const ENDINGS = ['', 'brook', 'crest', 'dale', 'field', 'ford', 'gate', 'haven', 'mere', 'point', 'ridge', 'wick'];
const FORMS = { CA: ['Inc.', 'Ltd.', 'Corp.', 'Co-operative', ''], US: ['Inc.', 'LLC', 'Corp.', 'Company', ''] };

const CANADIAN_SHARE = 0.55;
/** Share of companies that also name the previous one's website: the domain is ambiguous. */
const SHARED_WEBSITE_SHARE = 0.01;

export function sampleCompanies(seed: number, count: number): SampleCompany[] {
  const companies: SampleCompany[] = [];
  const taken = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    const random = seededRandom(seed, index);
    const industry = random.pick(INDUSTRIES);
    const place = random.pick(PLACES[random.chance(CANADIAN_SHARE) ? 'CA' : 'US']);
    const name = newName(random, industry, taken);
    const own = `${slug(name)}.example`;
    const before = companies.at(-1)?.hostnames[0];
    const shares = before !== undefined && random.chance(SHARED_WEBSITE_SHARE);
    companies.push({
      recordKey: `company-${String(index + 1).padStart(5, '0')}`,
      name: `${name} ${random.pick(FORMS[place.country])}`.trim(),
      hostnames: shares ? [own, before] : [own],
      industry,
      place,
      random,
    });
  }
  return companies;
}

export function companyRecord(company: SampleCompany): MessageInitShape<typeof CompanyRecordSchema> {
  return {
    key: company.recordKey,
    name: company.name,
    country: Country[company.place.country],
    hostnames: [...company.hostnames],
  };
}

export function slug(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .trim()
    .replaceAll(/[ -]+/g, '-');
}

function placesOf(country: 'CA' | 'US'): Place[] {
  return Object.entries<readonly string[]>(cities[country]).flatMap(([region, names]) =>
    names.map((city) => ({ city, region, country })),
  );
}

function newName(random: Random, industry: Industry, taken: Set<string>): string {
  for (;;) {
    const name = `${random.pick(BEGINNINGS)}${random.pick(ENDINGS)} ${random.pick(industry.trade)}`;
    if (!taken.has(name)) {
      taken.add(name);
      return name;
    }
  }
}
