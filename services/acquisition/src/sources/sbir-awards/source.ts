import { DateTime } from 'luxon';
import type { EventIdentifier, Mapped, MappedCompany } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { Document, FetchRequest, Parsed, RawRecord, RunContext, Source } from '../../connector/source.ts';
import { isObject, type JsonMembers } from '../../extract/formats/json.ts';
import { readJsonItems } from '../../extract/formats/json-stream.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine, plainText } from '../../extract/formats/plain.ts';
import { contactNames } from '../../extract/passages/contact-fields.ts';
import { chooseImpersonalExcerpt, quotable } from '../../extract/passages/excerpt.ts';
import { isPerson } from '../../extract/passages/is-person.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';
import { countryOfRegion, regionName } from '../../extract/places/places.ts';
import { companyNumbers } from '../../extract/values/company-numbers.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { formatDollars } from '../../extract/values/dollars.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { firstWebAddress, hostnameOf } from '../../extract/values/web-address.ts';
import { agencyNamed, SBIR_HOMEPAGE, SBIR_HOST, SBIR_TERMS, withoutReturns } from '../families/sbir/terms.ts';

/** Agencies report awards for months after their year. */
const YEARS = 2;
const ROWS = 500;
const LAST_START = 20_000;
const DATE = 'proposal_award_date';
const AMOUNT = 'award_amount';
const WHY = 'Public money for research and development often precedes hiring, equipment and work on a product.';
/** Persons, and streets, which are often founders' homes. */
const NOT_KEPT = [
  ...['poc_name', 'poc_title', 'poc_phone', 'poc_email'],
  ...['pi_name', 'pi_title', 'pi_phone', 'pi_email'],
  ...['ri_poc_name', 'ri_poc_phone', 'address1', 'address2'],
];
const MOST_DOLLARS = 1e13;
const MAX_LENGTH = 200;
const NIH = /^\d?([A-Z]{1,2}\d{1,2}[A-Z]{2}\d{6})(?:-\d{2}\w{0,4})?$/;

export const sbirAwards: Source = {
  name: 'sbir_awards',
  title: 'SBIR.gov, awards of the SBIR and STTR programs',
  ...SBIR_TERMS,
  kinds: ['funding_round'],
  politeness: { requestsPerSecond: 0.2, obeysRobots: false, maxRequestsPerRun: 60 },
  schedule: { everyMinutes: 10_080, jitterMinutes: 720 },
  fields: {
    required: ['firm', 'award_title', 'agency', 'proposal_award_date', 'award_amount', 'state'],
    usual: [
      ...['contract', 'agency_tracking_number', 'branch', 'program', 'phase', 'abstract', 'award_link', 'city'],
      ...['contract_end_date', 'solicitation_number', 'topic_code', 'company_url', 'uei', 'duns'],
    ],
  },
  extractorVersion: 1,
  mappingVersion: 3,
  requests: requestAwards,
  parse: parseAwards,
  extract: extractAward,
  map: mapAward,
};

function requestAwards({ now }: RunContext): FetchRequest[] {
  const { year } = DateTime.fromJSDate(now, { zone: 'utc' });
  return Array.from({ length: YEARS }, (_, before) => pageOf(String(year - before), 0));
}

function pageOf(year: string, start: number): FetchRequest {
  const query = new URLSearchParams({ year, rows: String(ROWS), start: String(start) });
  return { url: `https://${SBIR_HOST}/public/api/awards?${query}`, about: { year, start: String(start) } };
}

async function* parseAwards(document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const item of readJsonItems(document)) {
    position += 1;
    yield toRecord(isObject(item) ? item : {}, position);
  }
  const { year, start = '' } = document.about;
  const next = Number(start) + ROWS;
  if (year && position >= ROWS && next <= LAST_START) yield { type: 'follow_up', request: pageOf(year, next) };
}

function toRecord(award: JsonMembers, position: number): Parsed {
  const names = contactNames([award.poc_name, award.pi_name, award.ri_poc_name]);
  const website = Object.hasOwn(award, 'company_url') ? { company_url: websiteOf(award.company_url) } : {};
  const key = keyOf(award) ?? `award ${position}`;
  const uri = firstWebAddress([award.award_link], SBIR_HOMEPAGE);
  return keptRecord({ key, uri }, { ...award, ...website }, NOT_KEPT, names);
}

/** The agency's numbers: addresses of pages have changed before. */
function keyOf({ agency, contract, agency_tracking_number: tracking }: JsonMembers): string | undefined {
  if (typeof agency !== 'string' || typeof contract !== 'string') return undefined;
  const numbers = [agency, contract, typeof tracking === 'string' ? tracking : ''].map((part) => part.trim());
  return numbers[0] && (numbers[1] || numbers[2]) ? numbers.join('/') : undefined;
}

/** Some firms write an e-mail address there. */
function websiteOf(address: unknown): string {
  return typeof address === 'string' && !address.includes('@') ? (hostnameOf(address) ?? '') : '';
}

function extractAward(content: string): string {
  const award = readMembers(content);
  const dollars = dollarsOf(award);
  const facts = labelledLines([
    ['Award', titleOf(award)],
    ['Firm', award.text('firm')],
    ['Place', [award.text('city'), regionName(award.text('state'))].filter(Boolean).join(', ')],
    ['Agency', agencyOf(award)],
    ['Program', [award.text('program'), award.text('phase')].filter(Boolean).join(' ')],
    ['Amount', dollars === undefined ? undefined : formatDollars(dollars)],
    ['Awarded', award.text(DATE)],
    ['Ends', award.text('contract_end_date')],
    ['Solicitation', award.text('solicitation_number')],
    ['Topic', award.text('topic_code')],
  ]);
  return [facts, plainText(withoutReturns(award.text('abstract')))].filter((part) => part !== '').join('\n');
}

function mapAward(raw: RawRecord, text: string): Mapped[] {
  const award = readMembers(raw.content);
  const company = companyOf(award);
  const dollars = dollarsOf(award) ?? refuse(AMOUNT, 'is missing');
  if (dollars <= 0) return [{ type: 'left_out', reason: 'the award is of no money' }];
  if (isPerson(company.name)) return [{ type: 'left_out', reason: 'the recipient is a person' }];
  const number = awardIdentifier(award.text('contract') ?? award.text('agency_tracking_number'));
  return [
    {
      type: 'observation',
      company,
      kind: 'funding_round',
      observedFact: `${company.name} received ${phaseOf(award)} of ${formatDollars(dollars)} from the ${agencyOf(award)} for ${titleOf(award)}`,
      whyItMayMatter: WHY,
      country: company.country,
      confidence: 0.9,
      occurredAt: readInstant(DATE, award.need(DATE), { formats: ['MM/dd/yyyy', 'MMMM d, yyyy'] }),
      title: titleOf(award),
      eventIdentifiers: number ? [number] : [],
      categories: [],
      excerpts: [quotable('award_title', chooseImpersonalExcerpt(text))],
    },
  ];
}

function dollarsOf(award: Members): number | undefined {
  const text = award.text(AMOUNT)?.replace(/[$,]/g, '');
  if (text === undefined) return undefined;
  if (!/^-?\d{1,13}(?:\.\d{1,8})?$/.test(text)) refuse(AMOUNT, 'is no sum of money');
  const dollars = Number(text);
  return Math.abs(dollars) <= MOST_DOLLARS ? dollars : refuse(AMOUNT, 'is no sum of money');
}

function titleOf(award: Members): string {
  return plainLine(withoutReturns(award.need('award_title'))).replace(
    /^(?:SBIR|STTR) (?:Fast[- ]Track|Phase I{1,3}B?)\s{0,3}[:–-]\s{0,3}/i,
    '',
  );
}

function phaseOf(award: Members): string {
  const program = award.text('program') === 'STTR' ? 'STTR' : 'SBIR';
  return `an ${program} ${plainLine(award.text('phase'))} award`.replace(/\s+/g, ' ');
}

function agencyOf(award: Members): string {
  const agency = agencyNamed(plainLine(award.need('agency')));
  const branch = plainLine(award.text('branch'));
  return branch === '' || branch === agency ? agency : `${agency} (${branch})`;
}

function companyOf(award: Members): MappedCompany {
  const country = countryOfRegion(award.need('state'));
  const hostname = award.text('company_url');
  return {
    name: plainLine(award.need('firm')),
    country: country === 'US' ? country : refuse('state', 'is none of the United States'),
    hostnames: hostname ? [hostname] : [],
    identifiers: companyNumbers({ uei: award.text('uei'), duns: award.text('duns')?.padStart(9, '0') }),
  };
}

/** One award in the lists of several agencies is one event. Undefined if malformed. */
export function awardIdentifier(number: string | undefined): EventIdentifier | undefined {
  const value = number?.trim().toUpperCase() ?? '';
  if (value.length > MAX_LENGTH || value.replace(/\D/g, '').length < 4) return undefined;
  return { scheme: 'project', value: NIH.exec(value)?.[1] ?? value };
}
