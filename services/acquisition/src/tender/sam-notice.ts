import { readInstant } from '../extract/dates.ts';
import { sectorOf } from '../extract/naics.ts';
import { plainText } from '../extract/plain.ts';
import { pathPart } from '../extract/web-address.ts';
import type { Mapped } from '../sources/mapped.ts';
import { refuse } from '../sources/refuse.ts';
import { NAMES_NO_REQUEST, SCHEDULE_STAYS_OPEN, staysOpen } from './award.ts';
import { believable, findClosing, type TenderClosing } from './closing.ts';
import { federalIdentifier } from './solicitation.ts';
import { isSourceList } from './source-list.ts';
import { buyerCompany, tenderObservation } from './tender.ts';
import { tenderText } from './text.ts';

/** A notice of SAM.gov, whichever interface gave it; the texts are the source's. */
export interface SamNotice {
  readonly title: string | undefined;
  readonly solicitation: string | undefined;
  /** Department, sub-tier, office, as many as are named. */
  readonly organisation: readonly string[];
  readonly type: string | undefined;
  readonly posted: string | undefined;
  readonly deadline: string | undefined;
  readonly archived: string | undefined;
  readonly active: string | undefined;
  readonly naics: string | undefined;
  /** The code of the product or service. */
  readonly classification: string | undefined;
  readonly place: string;
  readonly awardDate: string | undefined;
  readonly description: string | undefined;
}

/** What the interface calls the fields, for refusals. */
export type SamFields = Readonly<
  Record<'title' | 'organisation' | 'type' | 'posted' | 'awardDate' | 'description', string>
>;

const WASHINGTON = 'America/New_York';
const REQUESTS = /^(?:solicitation|combined synopsis\/solicitation|presolicitation|sources sought)$/i;

/** The page of a notice, for people: the addresses that SAM.gov gives change, and some want an account. */
export function samNoticePage(id: string): string {
  return id === '' ? 'https://sam.gov/' : `https://sam.gov/opp/${pathPart(id)}/view`;
}

/** Title, agency and deadline, the description, then what else the notice says. */
export function extractSamNotice(notice: SamNotice): string {
  return tenderText({
    title: notice.title,
    buyer: notice.organisation,
    closing: notice.deadline,
    description: notice.description,
    facts: { Type: notice.type, Posted: notice.posted, 'Place of performance': notice.place, NAICS: notice.naics },
  });
}

/** A request for bids as an observation of the agency, an award as a closing; other types are left out. */
export function mapSamNotice(notice: SamNotice, fields: SamFields, excerpt: string | undefined): Mapped[] {
  const type = notice.type ?? refuse(fields.type, 'is missing');
  if (/^award notice$/i.test(type)) return [award(notice, fields)];
  if (!REQUESTS.test(type)) return [{ type: 'left_out', reason: 'the notice type asks for no bids' }];
  if (isSourceList(type, plainText(notice.description)))
    return [{ type: 'left_out', reason: 'the notice keeps a list of suppliers and says that it asks for no bids' }];
  const publishedAt = readInstant(fields.posted, notice.posted ?? refuse(fields.posted, 'is missing'));
  const closing = believable(findClosing(notice.deadline, WASHINGTON), publishedAt);
  const archived = believable(findClosing(notice.archived, WASHINGTON), publishedAt);
  if (/^no$/i.test(notice.active ?? '') && !closing && !archived)
    return [{ type: 'left_out', reason: 'the notice is archived without a date' }];
  return [
    tenderObservation({
      buyer: buyerOf(notice, fields),
      country: 'US',
      title: notice.title ?? refuse(fields.title, 'is missing'),
      noticeType: type,
      publishedAt,
      closing: isEarlier(closing, archived) ? closing : undefined,
      archivedAt: archived?.at,
      eventIdentifiers: [numberOf(notice)],
      categories: [sectorOf(notice.naics)],
      excerpt: excerpt ?? refuse(fields.description, 'holds nothing that may be quoted'),
    }),
  ];
}

/**
 * The agency that buys: its sub-tier (Department of the Army), or the department that has none. Offices below bear names
 * such as `W6QK ACC-RSA`, which mean nothing outside.
 */
function buyerOf(notice: SamNotice, fields: SamFields): string {
  return notice.organisation[1] ?? notice.organisation[0] ?? refuse(fields.organisation, 'is missing');
}

function award(notice: SamNotice, fields: SamFields): Mapped {
  if (staysOpen(notice.title, officeOf(notice))) return { type: 'left_out', reason: SCHEDULE_STAYS_OPEN };
  const identifier = numberOf(notice);
  if (!identifier) return { type: 'left_out', reason: NAMES_NO_REQUEST };
  const decided = notice.awardDate ?? notice.posted ?? refuse(fields.awardDate, 'is missing');
  return {
    type: 'closing',
    eventIdentifiers: [identifier],
    company: buyerCompany(buyerOf(notice, fields), 'US'),
    reason: 'awarded',
    closedAt: readInstant(fields.awardDate, decided),
  };
}

/** Whether bids close before the notice is archived, or no day is given for that. */
function isEarlier(closing: TenderClosing | undefined, archived: TenderClosing | undefined): boolean {
  return closing !== undefined && (archived === undefined || closing.at <= archived.at);
}

function numberOf({ solicitation, naics, classification, ...notice }: SamNotice) {
  return federalIdentifier(solicitation, officeOf(notice), [naics, classification]);
}

/** The office that numbers its requests. */
function officeOf({ organisation }: Pick<SamNotice, 'organisation'>): string | undefined {
  return organisation.at(-1);
}
