import { dollarsOf, sayDollars } from '../../awards/money.ts';
import { believableClosing, WHY_APPLICATIONS_MATTER } from '../../awards/request.ts';
import { readInstant } from '../../extract/dates.ts';
import { chooseImpersonalExcerpt } from '../../extract/excerpt.ts';
import { labelledLines } from '../../extract/labelled.ts';
import { type Members, readMembers } from '../../extract/members.ts';
import { plainText } from '../../extract/plain.ts';
import { findClosing } from '../../tender/closing.ts';
import { solicitationIdentifier } from '../../tender/solicitation.ts';
import { buyerCompany } from '../../tender/tender.ts';
import type { Mapped } from '../mapped.ts';
import { refuse } from '../refuse.ts';
import type { RawRecord } from '../source.ts';
import { AGENCY, NUMBER, type Opportunity, POSTED, readOpportunity, TITLE } from './opportunity.ts';

const WASHINGTON = 'America/New_York';
/** Names below a department that mean nothing outside it. */
const OFFICE = /\b(?:office|division|directorate|branch|production|district)\b/i;
const SOUNDING = /\brequest for information\b|\bRFI\b|\bsources sought\b/i;
const WHY_SOUNDING =
  'An agency asks what the market can do before it offers money, so those who can do it can make themselves known.';

/** What the fact says, one line each, then what the agency writes about it. */
export function extractOpportunity(content: string): string {
  const record = readMembers(content);
  const said = readOpportunity(record);
  const facts = labelledLines([
    ['Opportunity', said.title],
    ['Agency', [...new Set([said.agency, said.topAgency])].filter(Boolean).join(', ')],
    ['Number', said.number],
    ['Instrument', said.instruments.join(', ')],
    ['Posted', said.posted],
    ['Closes', said.closes],
    ['Money', moneyOf(record)],
    ['Program', said.programs.join('; ')],
  ]);
  const eligible = labelledLines([['Eligible', said.eligible.join('; ')]]);
  const about = [record.text('synopsis.synopsisDesc'), record.text('synopsis.applicantEligibilityDesc')].map(plainText);
  return [facts, about[0], eligible, about[1]].filter(Boolean).join('\n');
}

/** An agency asks for applications; what is only forecast or over is left out. */
export function mapOpportunity(raw: RawRecord, text: string): Mapped[] {
  const record = readMembers(raw.content);
  const said = readOpportunity(record);
  if (said.status === 'forecasted') return [{ type: 'left_out', reason: 'the opportunity is only forecast' }];
  if (said.status !== 'posted') return [{ type: 'left_out', reason: 'the opportunity is over' }];
  const title = said.title || refuse(TITLE, 'is missing');
  const posted = readInstant(POSTED, said.posted ?? refuse(POSTED, 'is missing'));
  const closing = believableClosing(findClosing(said.closes, WASHINGTON), posted);
  const company = buyerCompany(buyerOf(said), 'US');
  const number = solicitationIdentifier(said.number ?? refuse(NUMBER, 'is missing'));
  const isSounding = SOUNDING.test(title);
  const asks = isSounding ? 'is asking for information:' : 'is asking for applications for';
  const terms = [said.instruments.join(' or ').toLowerCase(), moneyOf(record)].filter(Boolean).join(', ');
  return [
    {
      type: 'observation',
      company,
      kind: 'procurement_request',
      observedFact: `${company.name} ${asks} ${title}${terms && ` (${terms})`}${closing ? `, closes ${closing.day}` : ''}`,
      whyItMayMatter: isSounding ? WHY_SOUNDING : WHY_APPLICATIONS_MATTER,
      country: 'US',
      confidence: 0.9,
      occurredAt: posted,
      ...(closing && { expiresAt: closing.at }),
      title,
      eventIdentifiers: number ? [number] : [],
      categories: [],
      excerpts: [chooseImpersonalExcerpt(text) ?? refuse(TITLE, 'holds nothing that may be quoted')],
    },
  ];
}

/** The agency, or the department of one that is an office. */
function buyerOf({ agency, topAgency }: Opportunity): string {
  if (!agency) return refuse(AGENCY, 'is missing');
  const name = OFFICE.test(agency) ? (topAgency ?? agency) : agency;
  return name.replace(/^U\.S\. (?=Department of|National Science Foundation)/, '');
}

/** `awards of $50,000 to $600,000, $2,600,000 in all`; agencies write `none` where there is no bound. */
function moneyOf(record: Members): string {
  const sum = (name: string) => {
    const isSum = /^[\d$,.]+$/.test(record.text(`synopsis.${name}`) ?? '');
    const dollars = isSum ? dollarsOf(record, `synopsis.${name}`) : undefined;
    return dollars !== undefined && dollars > 0 ? sayDollars(dollars) : undefined;
  };
  const [floor, ceiling, all] = [sum('awardFloor'), sum('awardCeiling'), sum('estimatedFunding')];
  const each = ceiling && (floor ? `awards of ${floor} to ${ceiling}` : `awards of up to ${ceiling}`);
  return [each, all && `${all} in all`].filter(Boolean).join(', ');
}
