import { DateTime } from 'luxon';
import type { FetchRequest, RunContext, SearchPlan } from '../../connector/source.ts';

const ADDRESS = 'https://api.sam.gov/opportunities/v2/search';
const NOTICES = '100';
const DEFAULT_DAYS = 30;
/** The API refuses ranges over one year. */
const MAX_DAYS = 364;
const REQUEST_TYPES = ['o', 'k', 'p', 'r'];
const MAX_TITLE_WORDS = 3;

/**
 * One call, because a key without a role allows ten a day: titles with the first phrase or most
 * discriminating words. Empty without a key, words or matching filters.
 */
export function queryNotices(plan: SearchPlan, { now, settings }: RunContext): FetchRequest[] {
  const apiKey = settings.get('api_key');
  const title = plan.phrases[0] ?? plan.terms.slice(0, MAX_TITLE_WORDS).join(' ');
  const wanted = plan.kinds.length === 0 || plan.kinds.includes('procurement_request');
  const there = plan.countries.length === 0 || plan.countries.includes('US');
  if (!apiKey || !title.trim() || !wanted || !there) return [];
  const url = new URL(ADDRESS);
  for (const type of REQUEST_TYPES) url.searchParams.append('ptype', type);
  url.searchParams.set('title', title);
  url.searchParams.set('postedFrom', americanDay(since(plan.occurredAfter, now)));
  url.searchParams.set('postedTo', americanDay(now));
  url.searchParams.set('limit', NOTICES);
  url.searchParams.set('offset', '0');
  url.searchParams.set('api_key', apiKey);
  return [{ url: url.href, secretParameters: ['api_key'] }];
}

function since(occurredAfter: Date | undefined, now: Date): Date {
  const earliest = DateTime.fromJSDate(now).minus({ days: MAX_DAYS });
  const wanted = occurredAfter
    ? DateTime.fromJSDate(occurredAfter)
    : DateTime.fromJSDate(now).minus({ days: DEFAULT_DAYS });
  return DateTime.max(earliest, wanted).toJSDate();
}

function americanDay(at: Date): string {
  return DateTime.fromJSDate(at, { zone: 'utc' }).toFormat('MM/dd/yyyy');
}
