import { DateTime } from 'luxon';
import { USASPENDING_HOMEPAGE, USASPENDING_HOST } from '../../awards/usaspending.ts';
import { isObject, type JsonMembers } from '../../extract/json.ts';
import { readJsonObjects } from '../../extract/json-objects.ts';
import { keptContent } from '../../extract/kept-content.ts';
import { fieldNames } from '../../extract/members.ts';
import { pathPart } from '../../extract/web-address.ts';
import type { Document, FetchRequest, Parsed, RunContext } from '../source.ts';

/** What the interface gives at most in one page, and pages that new awards of the window never fill. */
const LIMIT = 100;
const LAST_PAGE = 150;
/** Agencies report within a month, the Department of Defense within ninety days. */
const DAYS = 95;
/** Block, formula and project grants and cooperative agreements. */
const GRANTS = ['02', '03', '04', '05'];
const FIELDS = [
  ...['Award ID', 'Recipient Name', 'Recipient UEI', 'Recipient Location', 'Award Type', 'Award Amount'],
  ...['Base Obligation Date', 'Start Date', 'End Date', 'Description', 'Awarding Agency', 'Awarding Sub Agency'],
  'Assistance Listings',
];

/** Streets, and numbers of the interface that say nothing of the award. */
const NOT_KEPT = [
  ...['address_line1', 'address_line2', 'address_line3', 'zip4', 'zip5', 'congressional_code'],
  ...['internal_id', 'awarding_agency_id', 'agency_slug', 'prime_award_recipient_id', 'recipient_id'],
];

export function requestAwards({ now }: RunContext): FetchRequest[] {
  const today = DateTime.fromJSDate(now, { zone: 'utc' });
  return [pageOf({ from: today.minus({ days: DAYS }).toISODate() ?? '', to: today.toISODate() ?? '', page: '1' }, {})];
}

/** Where the page before ended, which the interface asks back in deep pages. */
type Last = Readonly<Record<string, unknown>>;

function pageOf(
  about: { readonly from: string; readonly to: string; readonly page: string },
  last: Last,
): FetchRequest {
  const filters = {
    award_type_codes: GRANTS,
    recipient_type_names: ['category_business'],
    time_period: [{ start_date: about.from, end_date: about.to, date_type: 'new_awards_only' }],
  };
  const body = {
    filters,
    fields: FIELDS,
    sort: 'Award ID',
    order: 'asc',
    limit: LIMIT,
    page: Number(about.page),
    ...last,
  };
  return {
    url: `https://${USASPENDING_HOST}/api/v2/search/spending_by_award/`,
    about,
    body: JSON.stringify(body),
  };
}

/** The awards of a page, and the page after it. */
export async function* parseAwards(document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const { member, value } of readJsonObjects(document, ['results', 'page_metadata'])) {
    if (!isObject(value)) continue;
    if (member === 'page_metadata') yield* nextPage(document, value);
    else {
      position += 1;
      yield toRecord(value, position);
    }
  }
}

function* nextPage(document: Document, metadata: JsonMembers): Generator<Parsed> {
  const { from, to, page } = document.about;
  if (!from || !to || !page || metadata.hasNext !== true || Number(page) >= LAST_PAGE) return;
  const { last_record_unique_id, last_record_sort_value } = metadata;
  const last = last_record_unique_id && last_record_sort_value ? { last_record_unique_id, last_record_sort_value } : {};
  yield { type: 'follow_up', request: pageOf({ from, to, page: String(Number(page) + 1) }, last) };
}

function toRecord(award: JsonMembers, position: number): Parsed {
  const id = typeof award.generated_internal_id === 'string' ? award.generated_internal_id.trim() : '';
  const content = keptContent(award, NOT_KEPT);
  return {
    type: 'record',
    record: {
      key: id.slice(0, 400) || `award ${position}`,
      uri: id === '' ? USASPENDING_HOMEPAGE : `https://www.usaspending.gov/award/${pathPart(id.slice(0, 400))}`,
      content,
      fields: fieldNames(JSON.parse(content)),
    },
  };
}
