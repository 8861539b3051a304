import type { Mapped, MappedCompany } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine, plainText } from '../../extract/formats/plain.ts';
import { chooseImpersonalExcerpt, quotable } from '../../extract/passages/excerpt.ts';
import { isPerson } from '../../extract/passages/is-person.ts';
import { countryOfRegion, regionName } from '../../extract/places/places.ts';
import { companyNumbers } from '../../extract/values/company-numbers.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { formatDollars } from '../../extract/values/dollars.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { agencyNamed } from '../families/sbir/agencies.ts';
import { withoutReturns } from '../families/sbir/terms.ts';
import { awardIdentifier } from './award-number.ts';

const DATE = 'proposal_award_date';
const AMOUNT = 'award_amount';
const MOST_DOLLARS = 1e13;
const WHY = 'Public money for research and development often precedes hiring, equipment and work on a product.';

export function extractAward(content: string): string {
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

export function mapAward(raw: RawRecord, text: string): Mapped[] {
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
