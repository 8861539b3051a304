import { readInstant } from '../extract/dates.ts';
import { sectorOf } from '../extract/naics.ts';
import { firstWebAddress } from '../extract/web-address.ts';
import type { Mapped } from '../sources/mapped.ts';
import { refuse } from '../sources/refuse.ts';
import { earlier, findClosing } from './closing.ts';
import { solicitationIdentifier } from './solicitation.ts';
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

/** The page of a notice, for people. */
export function samNoticePage(link: unknown, id: string): string {
  return firstWebAddress([link], `https://sam.gov/opp/${encodeURIComponent(id)}/view`);
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
  const closing = earlier(findClosing(notice.deadline, WASHINGTON), findClosing(notice.archived, WASHINGTON));
  if (/^no$/i.test(notice.active ?? '') && !closing)
    return [{ type: 'left_out', reason: 'the notice is archived without a date' }];
  return [
    tenderObservation({
      buyer: buyerOf(notice, fields),
      country: 'US',
      title: notice.title ?? refuse(fields.title, 'is missing'),
      noticeType: type,
      publishedAt: readInstant(fields.posted, notice.posted ?? refuse(fields.posted, 'is missing')),
      closing,
      eventIdentifiers: [solicitationIdentifier(notice.solicitation)],
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
  const identifier = solicitationIdentifier(notice.solicitation);
  if (!identifier) return { type: 'left_out', reason: 'the award names no solicitation number' };
  const decided = notice.awardDate ?? notice.posted ?? refuse(fields.awardDate, 'is missing');
  return {
    type: 'closing',
    eventIdentifiers: [identifier],
    company: buyerCompany(buyerOf(notice, fields), 'US'),
    reason: 'awarded',
    closedAt: readInstant(fields.awardDate, decided),
  };
}
