import { readInstant } from '../../extract/dates.ts';
import { chooseExcerpt } from '../../extract/excerpt.ts';
import { htmlToText, tidyText } from '../../extract/html.ts';
import { type Members, readMembers } from '../../extract/members.ts';
import { sectorOf } from '../../extract/naics.ts';
import { countryNamed } from '../../extract/places.ts';
import { earlier, findClosing, type TenderClosing } from '../../tender/closing.ts';
import { solicitationIdentifier } from '../../tender/solicitation.ts';
import { tenderObservation } from '../../tender/tender.ts';
import type { Closing, EventIdentifier, Mapped } from '../mapped.ts';
import { refuse } from '../refuse.ts';
import type { RawRecord } from '../source.ts';
import type { Country } from '../words.ts';
import { findPublisher } from './publisher.ts';

const UTC = 'utc';
const TAKEN_BACK = /^(?:cancelled|unsuccessful|withdrawn)$/i;

/** Title and description of the tender, what it asks for, its buyer and its dates. */
export function extractRelease(content: string): string {
  const release = readMembers(content);
  const lines = [
    tidyText(titleOf(release) ?? ''),
    htmlToText(spoken(release, 'release.tender.description') ?? ''),
    ...items(release).map((item) => tidyText(spoken(item, 'description') ?? '')),
    ...items(release).map((item) => tidyText(spoken(item, 'classification.description') ?? '')),
    labelled('Buyer', findBuyer(release)),
    labelled('Procuring entity', spoken(release, 'release.tender.procuringEntity.name')),
    labelled('Method', spoken(release, 'release.tender.methodRationale')),
    labelled('Published', release.text('release.date')),
    labelled('Closing', release.text('release.tender.tenderPeriod.endDate')),
  ];
  return [...new Set(lines.filter((line) => line !== ''))].join('\n');
}

/** A tender as an observation of its buyer; awards, contracts and cancellations close the tender of their process. */
export function mapRelease(raw: RawRecord, text: string): Mapped[] {
  const release = readMembers(raw.content);
  const tags = release.texts('release.tag');
  const closing = closingOf(release, tags);
  const speaksOfTender = tags.length === 0 || tags.some((tag) => /^(?:tender|compiled|planning)/i.test(tag));
  const title = titleOf(release);
  if (title && speaksOfTender && closing?.reason !== 'cancelled')
    return [tender(release, title, text, closing), ...(closing ? [closing] : [])];
  if (closing) return [closing];
  if (tags.includes('planning')) return [{ type: 'left_out', reason: 'the release is a plan and asks for no bids' }];
  return refuse('tender.title', 'is missing');
}

function tender(release: Members, title: string, text: string, closing: Closing | undefined): Mapped {
  const end = release.text('release.tender.tenderPeriod.endDate');
  const awarded: TenderClosing | undefined = closing && {
    at: closing.closedAt,
    day: closing.closedAt.toISOString().slice(0, 10),
  };
  return tenderObservation({
    buyer: findBuyer(release) ?? refuse('buyer.name', 'is missing'),
    country: countryOf(release),
    title,
    noticeType: undefined,
    publishedAt: publishedAt(release),
    closing: earlier(findClosing(end, UTC), awarded),
    eventIdentifiers: identifiersOf(release),
    categories: categoriesOf(release),
    excerpt: chooseExcerpt(text) ?? refuse('tender.title', 'holds nothing that may be quoted'),
  });
}

function closingOf(release: Members, tags: readonly string[]): Closing | undefined {
  const eventIdentifiers = identifiersOf(release);
  if (eventIdentifiers.length === 0) return undefined;
  const status = release.text('release.tender.status') ?? '';
  const dates = [...release.list('release.awards'), ...release.list('release.contracts')].flatMap(
    (one) => one.text('date') ?? one.text('dateSigned') ?? one.text('period.startDate') ?? [],
  );
  const said = dates.sort()[0] ?? release.need('release.date');
  const closedAt = readInstant('awards.date', said);
  if (TAKEN_BACK.test(status) || tags.includes('tenderCancellation'))
    return { type: 'closing', eventIdentifiers, reason: 'cancelled', closedAt };
  const awarded = dates.length > 0 || tags.some((tag) => /^(?:award|contract|implementation)/i.test(tag));
  return awarded ? { type: 'closing', eventIdentifiers, reason: 'awarded', closedAt } : undefined;
}

function identifiersOf(release: Members): EventIdentifier[] {
  const numbers = [release.need('release.ocid'), release.text('release.tender.id')];
  return [...new Set(numbers)].flatMap((number) => solicitationIdentifier(number) ?? []);
}

function titleOf(release: Members): string | undefined {
  return (
    spoken(release, 'release.tender.title') ?? items(release).flatMap((item) => spoken(item, 'description') ?? [])[0]
  );
}

function items(release: Members): Members[] {
  return release.list('release.tender.items');
}

/** A text in the publisher's language, else in English or French, as bilingual publishers name the members. */
function spoken(members: Members, path: string): string | undefined {
  return members.text(path) ?? members.text(`${path}_en`) ?? members.text(`${path}_fr`);
}

function findBuyer(release: Members): string | undefined {
  return spoken(release, 'release.buyer.name') ?? partyName(release, 'buyer') ?? partyName(release, 'procuringEntity');
}

function partyName(release: Members, role: string): string | undefined {
  return release
    .list('release.parties')
    .flatMap((party) => (party.texts('roles').includes(role) ? (spoken(party, 'name') ?? []) : []))[0];
}

/** The buyer's address decides; without one the publisher, when all of its buyers are in one country. */
function countryOf(release: Members): Country {
  const addresses = release
    .list('release.parties')
    .filter((party) => party.texts('roles').includes('buyer'))
    .flatMap((party) => party.text('address.countryName') ?? party.text('address.country') ?? []);
  const named = release.text('release.buyer.address.countryName') ?? addresses[0];
  if (named !== undefined)
    return countryNamed(named) ?? refuse('buyer.address.countryName', 'is neither Canada nor the United States');
  const publisher = findPublisher(release.text('publisher.uri'));
  return (
    publisher?.country ??
    refuse('buyer.address.countryName', 'is missing, and the publisher is not known to be of one country')
  );
}

function publishedAt(release: Members): Date {
  const start = release.text('release.tender.tenderPeriod.startDate');
  return start === undefined
    ? readInstant('date', release.need('release.date'))
    : readInstant('tender.tenderPeriod.startDate', start);
}

function categoriesOf(release: Members): (string | undefined)[] {
  return items(release)
    .map((item) =>
      /^naics/i.test(item.text('classification.scheme') ?? '') ? item.text('classification.id') : undefined,
    )
    .map(sectorOf);
}

function labelled(label: string, value: string | undefined): string {
  return value === undefined ? '' : `${label}: ${tidyText(value)}`;
}
