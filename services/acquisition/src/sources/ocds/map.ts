import type { Closing, Mapped } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { quotable } from '../../extract/passages/excerpt.ts';
import { knownDate, readInstant } from '../../extract/values/dates.ts';
import { sectorOf } from '../../extract/values/naics.ts';
import { earlier, findClosing, ifPlausible } from '../families/tender/closing.ts';
import { chooseTenderExcerpt } from '../families/tender/excerpt.ts';
import { tenderObservation } from '../families/tender/tender.ts';
import { countryOf, findBuyer } from './buyer.ts';
import { findProcessClosing, processIdentifiers } from './closing.ts';
import { itemsOf, titleOf } from './text.ts';

const ABOUT_THE_TENDER = /^(?:tender|compiled)/i;

export function mapRelease(raw: RawRecord, text: string): Mapped[] {
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
