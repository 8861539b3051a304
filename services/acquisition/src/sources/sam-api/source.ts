import { DateTime } from 'luxon';
import type { Document, FetchRequest, Parsed, RunContext, SearchPlan, Source } from '../../connector/source.ts';
import { isObject } from '../../extract/formats/json.ts';
import { readJsonItems } from '../../extract/formats/json-stream.ts';
import { fieldNames } from '../../extract/formats/members.ts';
import { contactNames } from '../../extract/passages/contact-fields.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { extractOpportunity, mapOpportunity, samNoticePage } from './notice.ts';

const MAX_TITLE_WORDS = 3;
const ADDRESS = 'https://api.sam.gov/opportunities/v2/search';
const REQUEST_TYPES = ['o', 'k', 'p', 'r'];
const NOTICES = '100';
/** The API refuses ranges over one year. */
const MAX_DAYS = 364;
const DEFAULT_DAYS = 30;
/** Contact persons, and addresses that require a key. */
const LEFT_OUT = ['pointOfContact', 'links', 'description'];

export const samApi: Source = {
  name: 'sam_api',
  title: 'SAM.gov Get Opportunities API, version 2',
  publisher: 'U.S. General Services Administration',
  homepage: 'https://open.gsa.gov/api/get-opportunities-public-api/',
  licence: {
    name: 'United States government work, public domain',
    uri: 'https://www.usa.gov/government-copyright',
    attribution: 'SAM.gov, U.S. General Services Administration',
  },
  kinds: ['procurement_request'],
  verified: true,
  mode: 'on_demand',
  hosts: ['api.sam.gov'],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 1, maxRequestsPerDay: 10 },
  settings: [{ name: 'api_key', description: 'key of an account at SAM.gov', secret: true, required: true }],
  fields: {
    required: ['noticeId', 'title', 'type', 'postedDate'],
    usual: [
      'solicitationNumber',
      'fullParentPathName',
      'responseDeadLine',
      'archiveDate',
      'naicsCode',
      'active',
      'classificationCode',
      'pointOfContact',
    ],
  },
  extractorVersion: 5,
  mappingVersion: 5,
  query: queryNotices,
  parse: parseAnswer,
  extract: extractOpportunity,
  map: mapOpportunity,
};

/**
 * One call, because a key without a role allows ten a day: titles with the first phrase or most
 * discriminating words. Empty without a key, words or matching filters.
 */
function queryNotices(plan: SearchPlan, { now, settings }: RunContext): FetchRequest[] {
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

async function* parseAnswer(document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const item of readJsonItems(document, 'opportunitiesData')) {
    position += 1;
    yield toRecord(item, position);
  }
}

function toRecord(item: unknown, position: number): Parsed {
  const names = contactNames([isObject(item) ? item.pointOfContact : undefined]);
  const content = keptContent(item, LEFT_OUT, names);
  const notice: unknown = JSON.parse(content);
  const { noticeId } = isObject(notice) ? notice : {};
  const id = typeof noticeId === 'string' ? noticeId.trim() : '';
  return {
    type: 'record',
    record: {
      key: id.slice(0, 400) || `opportunity ${position}`,
      uri: samNoticePage(id),
      content,
      fields: fieldNames(item),
    },
  };
}
