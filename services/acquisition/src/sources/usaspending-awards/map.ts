import { awardIdentifier } from '../../awards/award-number.ts';
import { dollarsOf, sayDollars } from '../../awards/money.ts';
import { isPerson } from '../../awards/person.ts';
import { companyNumbers } from '../../extract/company-numbers.ts';
import { readInstant } from '../../extract/dates.ts';
import { chooseExcerpt } from '../../extract/excerpt.ts';
import { labelledLines } from '../../extract/labelled.ts';
import { type Members, readMembers } from '../../extract/members.ts';
import { cutAtWord } from '../../extract/passage.ts';
import { countryNamed, regionName } from '../../extract/places.ts';
import { plainLine } from '../../extract/plain.ts';
import type { Mapped, MappedCompany } from '../mapped.ts';
import { refuse } from '../refuse.ts';
import type { RawRecord } from '../source.ts';

const AMOUNT = 'Award Amount';
const LOCATION = 'Recipient Location';
const WHY = 'A public grant often precedes hiring, equipment and services for the work that it pays for.';
const MOST_PURPOSE_CODE_POINTS = 300;
/** Public bodies and schools, and what the publisher writes for people. */
const NO_COMPANY =
  /\b(?:university|college|school|county|city|town|village|tribe|nation|state|commonwealth|district|authority|municipality|department|government|redacted|multiple recipients)\b/i;
/** `STATE OF THE ART INC` is a company all the same. */
const COMPANY = /\b(?:inc|incorporated|corp|corporation|co|company|ltd|limited|llc|llp|lp)\b/i;

/** What the fact says, one line each, then what the award is for. */
export function extractAward(content: string): string {
  const award = readMembers(content);
  const dollars = dollarsOf(award, AMOUNT);
  return labelledLines([
    ['Recipient', award.text('Recipient Name')],
    ['Place', placeOf(award)],
    ['Award', [award.text('Award Type'), award.text('Award ID')].filter(Boolean).join(' ')],
    ['Amount', dollars === undefined ? undefined : sayDollars(dollars)],
    ['Agency', [award.text('Awarding Agency'), award.text('Awarding Sub Agency')].filter(Boolean).join(', ')],
    ['First obligated', award.text('Base Obligation Date')],
    ['Starts', award.text('Start Date')],
    ['Ends', award.text('End Date')],
    ['Program', programsOf(award)],
    ['Description', award.text('Description')],
  ]);
}

/** A grant to a company is funding; a contract is a sale, and is none. */
export function mapAward(raw: RawRecord, text: string): Mapped[] {
  const award = readMembers(raw.content);
  const id = award.need('generated_internal_id');
  if (id.startsWith('CONT_')) return [{ type: 'left_out', reason: 'a contract is a sale and no funding' }];
  if (!id.startsWith('ASST_NON_')) return [{ type: 'left_out', reason: 'the award is a sum of many' }];
  const type = award.need('Award Type');
  if (!/grant|cooperative agreement/i.test(type)) return [{ type: 'left_out', reason: 'the award is no grant' }];
  const name = plainLine(award.need('Recipient Name'));
  if (isPerson(name)) return [{ type: 'left_out', reason: 'the recipient is a person' }];
  if (NO_COMPANY.test(name) && !COMPANY.test(name))
    return [{ type: 'left_out', reason: 'the recipient is no company' }];
  const dollars = dollarsOf(award, AMOUNT) ?? refuse(AMOUNT, 'is missing');
  if (dollars <= 0) return [{ type: 'left_out', reason: 'the award is of no money' }];
  return [observe(award, companyOf(award, name), dollars, text)];
}

function observe(award: Members, company: MappedCompany, dollars: number, text: string): Mapped {
  const number = awardIdentifier(award.need('Award ID'));
  const agency = award.text('Awarding Sub Agency') ?? award.need('Awarding Agency');
  const dated = award.text('Base Obligation Date') === undefined ? 'Start Date' : 'Base Obligation Date';
  return {
    type: 'observation',
    company,
    kind: 'funding_round',
    observedFact: `${company.name} received ${instrumentOf(award)} of ${sayDollars(dollars)} from the ${plainLine(agency)}${purposeOf(award)}`,
    whyItMayMatter: WHY,
    country: company.country,
    confidence: 0.9,
    occurredAt: readInstant(dated, award.need(dated)),
    title: `${plainLine(award.text('Award Type'))} ${award.need('Award ID')}`,
    eventIdentifiers: number ? [number] : [],
    categories: [],
    excerpts: [chooseExcerpt(text) ?? refuse('Description', 'holds nothing that may be quoted')],
  };
}

/** `PROJECT GRANT (B)`: the letter is the publisher's own. */
function instrumentOf(award: Members): string {
  const type = plainLine(award.text('Award Type'))
    .replace(/\s\([A-Z]\)$/, '')
    .toLowerCase();
  return `a ${type}`;
}

function purposeOf(award: Members): string {
  const purpose = cutAtWord(plainLine(award.text('Description')), MOST_PURPOSE_CODE_POINTS) || programsOf(award);
  return purpose === '' ? '' : `: ${purpose}`;
}

function programsOf(award: Members): string {
  return award
    .list('Assistance Listings')
    .map((one) => [one.text('cfda_number'), one.text('cfda_program_title')].filter(Boolean).join(' '))
    .join('; ');
}

function companyOf(award: Members, name: string): MappedCompany {
  const country =
    countryNamed(award.need(`${LOCATION}.location_country_code`)) ??
    refuse(`${LOCATION}.location_country_code`, 'is neither Canada nor the United States');
  return { name, country, hostnames: [], identifiers: companyNumbers({ uei: award.text('Recipient UEI') }) };
}

function placeOf(award: Members): string {
  const region = award.text(`${LOCATION}.state_code`);
  return [award.text(`${LOCATION}.city_name`), regionName(region) ?? region].filter(Boolean).join(', ');
}
