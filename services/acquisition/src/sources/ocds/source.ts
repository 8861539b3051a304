import type { Closing, EventIdentifier, Mapped } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord, Source } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { quotable } from '../../extract/passages/excerpt.ts';
import { knownDate, readInstant } from '../../extract/values/dates.ts';
import { sectorOf } from '../../extract/values/naics.ts';
import { earlier, findClosing, ifPlausible } from '../families/tender/closing.ts';
import { solicitationIdentifier } from '../families/tender/solicitation.ts';
import { buyerCompany, tenderObservation } from '../families/tender/tender.ts';
import { chooseTenderExcerpt, tenderText } from '../families/tender/text.ts';
import { BUYER, HOMEPAGE, parsePackage, SUBJECT } from './parse.ts';
import { countryOf, DETAILS, findBuyer, findCountry, findPublisher, localText } from './publisher.ts';

const ABOUT_THE_TENDER = /^(?:tender|compiled)/i;

const TAKEN_BACK = /^(?:cancelled|unsuccessful|withdrawn)$/i;
const AFTER_THE_TENDER = /^(?:award|contract|implementation)/i;
/** Dates of an award or contract. The first that is present counts. */
const DECIDED = ['date', 'dateSigned', 'period.startDate'];

export const ocds: Source = {
  name: 'ocds',
  title: 'Open Contracting releases',
  publisher: 'The publishers of the releases',
  homepage: HOMEPAGE,
  licence: {
    name: 'Open Government Licence – Canada',
    uri: 'https://open.canada.ca/en/open-government-licence-canada',
    attribution: 'Contains information licensed under the Open Government Licence – Canada.',
  },
  kinds: ['procurement_request'],
  verified: true,
  mode: 'scheduled',
  hosts: [],
  politeness: { requestsPerSecond: 0.1, obeysRobots: true, maxRequestsPerRun: 1 },
  fields: { required: ['ocid', 'date', SUBJECT], usual: [BUYER, 'tag', ...DETAILS] },
  extractorVersion: 6,
  mappingVersion: 6,
  parse: parsePackage,
  extract: extractRelease,
  map: mapRelease,
};

function mapRelease(raw: RawRecord, text: string): Mapped[] {
  const release = readMembers(raw.content);
  const tags = tagsOf(release);
  const closing = findProcessClosing(release, tags);
  const title = titleOf(release);
  const open = closing?.reason !== 'cancelled' && (tags.length === 0 || tags.some((tag) => ABOUT_THE_TENDER.test(tag)));
  if (/^plann/i.test(release.text('tender.status') ?? '') || (tags.length === 1 && tags[0] === 'planning'))
    return [{ type: 'left_out', reason: 'the release is a plan and asks for no bids' }];
  if (title && open) return [tender(release, title, text, closing), ...(closing ? [closing] : [])];
  return closing ? [closing] : refuse('tender.title', 'is missing');
}

function tender(release: Members, title: string, text: string, decided: Closing | undefined): Mapped {
  const published = publishedAt(release);
  const end = ifPlausible(findClosing(release.text('tender.tenderPeriod.endDate'), 'utc'), published);
  const award = decided && { at: decided.closedAt, day: decided.closedAt.toISOString().slice(0, 10) };
  return tenderObservation({
    buyer: findBuyer(release) ?? refuse('buyer.name', 'is missing'),
    country: countryOf(release),
    title,
    noticeType: undefined,
    publishedAt: published,
    closing: earlier(end, award),
    eventIdentifiers: processIdentifiers(release),
    categories: itemsOf(release).map(categoryOf),
    excerpt: quotable('tender.title', chooseTenderExcerpt(text)),
  });
}

function tagsOf(release: Members): string[] {
  try {
    return release.texts('tag');
  } catch {
    return [release.need('tag')];
  }
}

function publishedAt(release: Members): Date {
  const start = knownDate(release.text('tender.tenderPeriod.startDate'));
  if (start === undefined) return readInstant('date', release.need('date'));
  return readInstant('tender.tenderPeriod.startDate', start);
}

function categoryOf(item: Members): string | undefined {
  const isNaics = /^naics/i.test(item.text('classification.scheme') ?? '');
  return isNaics ? sectorOf(item.text('classification.id')) : undefined;
}

function findProcessClosing(release: Members, tags: readonly string[]): Closing | undefined {
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
function processIdentifiers(release: Members): EventIdentifier[] {
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

function extractRelease(content: string): string {
  const release = readMembers(content);
  const procuring = localText(release, 'tender.procuringEntity.name');
  const wanted = itemsOf(release).flatMap((item) => [
    localText(item, 'description'),
    localText(item, 'classification.description'),
  ]);
  return tenderText({
    title: titleOf(release),
    buyer: [...new Set([findBuyer(release), procuring].filter((name) => name !== undefined))],
    closing: knownDate(release.text('tender.tenderPeriod.endDate')),
    description: localText(release, 'tender.description'),
    facts: {
      Items: [...new Set(wanted.filter((name) => name !== undefined))].join('; '),
      Method: localText(release, 'tender.methodRationale') ?? release.text('tender.procurementMethod'),
      Published: knownDate(release.text('date')),
    },
  });
}

/** Replaces a missing title by the description of the first item. */
function titleOf(release: Members): string | undefined {
  const [item] = itemsOf(release).flatMap((one) => localText(one, 'description') ?? []);
  return localText(release, 'tender.title') ?? item;
}

function itemsOf(release: Members): Members[] {
  return release.list('tender.items');
}
