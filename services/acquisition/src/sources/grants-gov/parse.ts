import { contactNames } from '../../extract/contact-fields.ts';
import { isObject, type JsonMembers, scalarText } from '../../extract/json.ts';
import { keptContent } from '../../extract/kept-content.ts';
import { carried, readMembers } from '../../extract/members.ts';
import { readText } from '../../extract/text.ts';
import { Refused } from '../refuse.ts';
import type { Document, FetchRequest, Parsed } from '../source.ts';
import { AGENCY, NUMBER, POSTED, readOpportunity, TITLE } from './opportunity.ts';

export const HOST = 'api.grants.gov';
export const HOMEPAGE = 'https://www.grants.gov/api';
const ROWS = 500;
/** Three times what is ever open. */
const LAST_START = 5_000;
const SEARCH = 'search';

/** What of an opportunity and its synopsis is kept. The rest names persons: even `synopsis.agencyName` is the contact's name. */
const KEPT = ['id', 'opportunityNumber', 'opportunityTitle', 'docType', 'ost', 'cfdas', 'alns'];
const KEPT_OF_AGENCY = ['agencyName', 'agencyCode'];
const KEPT_OF_SYNOPSIS = [
  ...[
    'synopsisDesc',
    'responseDate',
    'responseDateStr',
    'postingDate',
    'postingDateStr',
    'archiveDate',
    'costSharing',
    'numberOfAwards',
  ],
  ...['estimatedFunding', 'awardCeiling', 'awardFloor', 'applicantEligibilityDesc', 'applicantTypes'],
  ...['fundingInstruments', 'fundingActivityCategories', 'version'],
];
/** Where a synopsis names whom to ask, who then stands in no text of it either. */
const PERSONS_OF_SYNOPSIS = ['agencyContactName', 'agencyContactDesc', 'agencyName'];
const KEPT_OF_HIT = [
  ...['id', 'number', 'title', 'agency', 'agencyCode', 'openDate', 'closeDate', 'oppStatus', 'docType', 'cfdaList'],
];

export function requestOpportunities(): FetchRequest[] {
  return [pageOf(0)];
}

/** Open opportunities; a parameter with a name of its own would be ignored, and a value of its own finds nothing. */
function pageOf(start: number): FetchRequest {
  return {
    url: `https://${HOST}/v1/api/search2`,
    purpose: SEARCH,
    body: JSON.stringify({ keyword: '', oppStatuses: 'posted', rows: ROWS, startRecordNum: start }),
  };
}

/**
 * One opportunity, or a page of a search: in a run its hits lead to the opportunities, which say more; in a file they are
 * what there is.
 */
export async function* parseAnswer(document: Document): AsyncGenerator<Parsed> {
  const answer: unknown = JSON.parse(await readText(document));
  const data = isObject(answer) && isObject(answer.data) ? answer.data : {};
  if (!Array.isArray(data.oppHits)) {
    yield toRecord(opportunityOf(data), 'opportunity 1', personsOf(data));
    return;
  }
  for (const [index, item] of data.oppHits.entries()) {
    const hit = pick(item, KEPT_OF_HIT);
    const followUp = document.purpose === SEARCH ? detailOf(hit) : undefined;
    if (followUp) yield { type: 'follow_up', request: followUp };
    else yield toRecord(hit, `hit ${index + 1}`);
  }
  const [start, total] = [Number(scalarText(data.startRecord)), Number(scalarText(data.hitCount))];
  const next = start + data.oppHits.length;
  if (document.purpose === SEARCH && data.oppHits.length > 0 && next < total && next <= LAST_START)
    yield { type: 'follow_up', request: pageOf(next) };
}

/** Read once for each state of the hit: the fragment is not sent, and another day of closing is another document. */
function detailOf(hit: JsonMembers): FetchRequest | undefined {
  const id = Number(scalarText(hit.id));
  if (!Number.isSafeInteger(id) || id <= 0) return undefined;
  const state = new URLSearchParams({ open: scalarText(hit.openDate), close: scalarText(hit.closeDate) });
  return {
    url: `https://${HOST}/v1/api/fetchOpportunity#${state}`,
    body: JSON.stringify({ opportunityId: id }),
    once: true,
  };
}

function opportunityOf(data: JsonMembers): JsonMembers {
  return {
    ...pick(data, KEPT),
    agencyDetails: pick(data.agencyDetails, KEPT_OF_AGENCY),
    topAgencyDetails: pick(data.topAgencyDetails, KEPT_OF_AGENCY),
    synopsis: pick(data.synopsis, KEPT_OF_SYNOPSIS),
  };
}

function personsOf(data: JsonMembers): string[] {
  return contactNames(Object.values(pick(data.synopsis, PERSONS_OF_SYNOPSIS)));
}

function pick(value: unknown, names: readonly string[]): JsonMembers {
  if (!isObject(value)) return {};
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]]] : [])));
}

function toRecord(kept: JsonMembers, place: string, persons: readonly string[] = []): Parsed {
  const content = keptContent(kept, [], persons);
  const id = /^\d{1,12}$/.exec(scalarText(kept.id))?.[0];
  return {
    type: 'record',
    record: {
      key: id ?? place,
      uri: id ? `https://www.grants.gov/search-results-detail/${id}` : HOMEPAGE,
      content,
      fields: fieldsOf(content),
    },
  };
}

/** What cannot be read counts as carried: it is refused by its name when the record is mapped. */
function fieldsOf(content: string): string[] {
  try {
    const { title, number, agency, posted } = readOpportunity(readMembers(content));
    return carried({ [TITLE]: title, [NUMBER]: number, [AGENCY]: agency, [POSTED]: posted });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [TITLE, NUMBER, AGENCY, POSTED];
  }
}
