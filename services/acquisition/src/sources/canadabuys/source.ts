import type { CountryName } from '@ces/proto/catalog';
import type { Mapped } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord, Source } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainText } from '../../extract/formats/plain.ts';
import { quotable } from '../../extract/passages/excerpt.ts';
import { requireCountry } from '../../extract/places/places.ts';
import { findInstant, readInstant } from '../../extract/values/dates.ts';
import { findClosing } from '../families/tender/closing.ts';
import { isSourceList } from '../families/tender/source-list.ts';
import { buyerCompany, tenderObservation } from '../families/tender/tender.ts';
import { chooseTenderExcerpt, tenderText } from '../families/tender/text.ts';
import { COLUMNS, CONTACT_NAME, cellValues, entityName, HOMEPAGE, noticeIdentifiers, parseNotices } from './notice.ts';

const OPEN_TENDERS = 'https://canadabuys.canada.ca/opendata/pub/openTenderNotice-ouvertAvisAppelOffres.csv';
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Announced awards, and orders under an existing contract. */
const NO_REQUEST = /advance contract award|call-?up|award notice/i;
/** Closing times name no zone; notices are published in Ottawa. */
const OTTAWA = 'America/Toronto';

export const canadabuys: Source = {
  name: 'canadabuys',
  title: 'CanadaBuys tender notices',
  publisher: 'Public Services and Procurement Canada',
  homepage: HOMEPAGE,
  licence: {
    name: 'Open Government Licence – Canada',
    uri: 'https://open.canada.ca/en/open-government-licence-canada',
    attribution: 'Contains information licensed under the Open Government Licence – Canada.',
  },
  kinds: ['procurement_request'],
  verified: true,
  mode: 'scheduled',
  hosts: ['canadabuys.canada.ca'],
  politeness: { requestsPerSecond: 0.1, obeysRobots: true, maxRequestsPerRun: 2 },
  schedule: { everyMinutes: 360, jitterMinutes: 60 },
  fields: { required: Object.values(COLUMNS), usual: [CONTACT_NAME] },
  extractorVersion: 5,
  mappingVersion: 5,
  requests: () => [{ url: OPEN_TENDERS, maxBytes: MAX_FILE_BYTES }],
  parse: (document) => parseNotices(document, 'tender-notice', (row) => row[COLUMNS.reference]?.trim() ?? ''),
  extract: extractNotice,
  map: mapNotice,
};

export function extractNotice(content: string): string {
  const row = readMembers(content);
  const several = (column: string) => cellValues(row.text(column));
  return tenderText({
    title: row.text(COLUMNS.title) ?? row.text(COLUMNS.titleFrench),
    buyer: [...several(COLUMNS.endUser), ...several(COLUMNS.contractingEntity)],
    closing: row.text(COLUMNS.closes),
    description: descriptionOf(row),
    facts: {
      Type: row.text(COLUMNS.noticeType),
      Published: row.text(COLUMNS.published),
      Goods: several(COLUMNS.goods).join(', '),
      Delivery: several(COLUMNS.regions).join(', '),
    },
  });
}

function mapNotice(raw: RawRecord, text: string): Mapped[] {
  const row = readMembers(raw.content);
  const reference = row.need(COLUMNS.reference);
  const noticeType = row.text(COLUMNS.noticeType);
  if (noticeType && NO_REQUEST.test(noticeType))
    return [{ type: 'left_out', reason: 'the notice type asks for no bids' }];
  if (/cancel/i.test(row.text(COLUMNS.status) ?? '')) return [cancellation(row)];
  if (isSourceList(noticeType, plainText(descriptionOf(row))))
    return [{ type: 'left_out', reason: 'the notice keeps a list of suppliers and says that it asks for no bids' }];
  return [
    tenderObservation({
      buyer: buyerOf(row),
      country: countryOf(row),
      title: row.text(COLUMNS.title) ?? row.text(COLUMNS.titleFrench) ?? refuse(COLUMNS.title, 'is missing'),
      noticeType,
      publishedAt: readInstant(COLUMNS.published, row.need(COLUMNS.published)),
      closing: closingOf(row),
      eventIdentifiers: noticeIdentifiers(buyerOf(row), row.text(COLUMNS.solicitation), reference),
      categories: [],
      excerpt: quotable(COLUMNS.description, chooseTenderExcerpt(text)),
    }),
  ];
}

function descriptionOf(row: Members): string | undefined {
  return row.text(COLUMNS.description) ?? row.text(COLUMNS.descriptionFrench);
}

export function buyerOf(row: Members): string {
  const buyer = entityName(row.text(COLUMNS.endUser)) ?? entityName(row.text(COLUMNS.contractingEntity));
  return buyer ?? refuse(COLUMNS.contractingEntity, 'is missing');
}

/** The files hold only federal notices, so a blank country is Canada. */
function countryOf(row: Members): CountryName {
  const named = row.text(COLUMNS.country);
  return named === undefined ? 'CA' : requireCountry(COLUMNS.country, named);
}

function closingOf(row: Members) {
  const text = row.text(COLUMNS.closes);
  if (text === undefined) return undefined;
  return findClosing(text, OTTAWA) ?? refuse(COLUMNS.closes, 'is no date');
}

function cancellation(row: Members): Mapped {
  const eventIdentifiers = noticeIdentifiers(buyerOf(row), row.text(COLUMNS.solicitation), row.text(COLUMNS.reference));
  const decided = row.text(COLUMNS.amended) ?? row.text(COLUMNS.published);
  const closedAt = findInstant(decided, { zone: OTTAWA }) ?? refuse(COLUMNS.published, 'is no date');
  if (eventIdentifiers.length === 0)
    return { type: 'left_out', reason: 'it cancels a tender without naming its number' };
  const company = buyerCompany(buyerOf(row), countryOf(row));
  return { type: 'closing', eventIdentifiers, company, reason: 'cancelled', closedAt };
}
