import type { Closing, EventIdentifier } from '../../connector/mapped.ts';
import type { Members } from '../../extract/formats/members.ts';
import { knownDate, readInstant } from '../../extract/values/dates.ts';
import { solicitationIdentifier } from '../families/tender/solicitation.ts';
import { buyerCompany } from '../families/tender/tender.ts';
import { findBuyer, findCountry } from './buyer.ts';
import { findPublisher } from './publisher.ts';

const TAKEN_BACK = /^(?:cancelled|unsuccessful|withdrawn)$/i;
/** Dates of an award or contract. The first that is present counts. */
const DECIDED = ['date', 'dateSigned', 'period.startDate'];
const AFTER_THE_TENDER = /^(?:award|contract|implementation)/i;

export function findProcessClosing(release: Members, tags: readonly string[]): Closing | undefined {
  const eventIdentifiers = processIdentifiers(release);
  const decided = decisionDates(release);
  const cancelled = TAKEN_BACK.test(release.text('tender.status') ?? '') || tags.includes('tenderCancellation');
  const awarded = decided.length > 0 || tags.some((tag) => AFTER_THE_TENDER.test(tag));
  if (eventIdentifiers.length === 0 || !(cancelled || awarded)) return undefined;
  return {
    type: 'closing',
    eventIdentifiers,
    ...companyOf(release),
    reason: cancelled ? 'cancelled' : 'awarded',
    closedAt: readInstant('awards.date', decided[0] ?? release.need('date')),
  };
}

/** Includes the tender's number only if it is national. */
export function processIdentifiers(release: Members): EventIdentifier[] {
  const publisher = findPublisher(release.text('publisher.uri'));
  const numbers = [release.need('ocid'), publisher?.numbersNationally ? release.text('tender.id') : undefined];
  return [...new Set(numbers)].flatMap((number) => solicitationIdentifier(number) ?? []);
}

function decisionDates(release: Members): string[] {
  const decisions = [...release.list('awards'), ...release.list('contracts')];
  return decisions.flatMap((one) => DECIDED.flatMap((path) => knownDate(one.text(path)) ?? [])[0] ?? []).sort();
}

function companyOf(release: Members): Pick<Closing, 'company'> {
  const buyer = findBuyer(release);
  const country = findCountry(release);
  return buyer && country ? { company: buyerCompany(buyer, country) } : {};
}
