import type { Mapped } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import { quotable } from '../../extract/passages/excerpt.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { sectorOf } from '../../extract/values/naics.ts';
import { pathPart } from '../../extract/values/web-address.ts';
import { NAMES_NO_REQUEST, SCHEDULE_STAYS_OPEN, staysOpen } from '../families/tender/award.ts';
import { findClosing, ifPlausible, type TenderClosing } from '../families/tender/closing.ts';
import { federalIdentifier } from '../families/tender/solicitation.ts';
import { buyerCompany, tenderObservation } from '../families/tender/tender.ts';
import { tenderText } from '../families/tender/text.ts';

export interface SamNotice {
  readonly title: string | undefined;
  readonly solicitation: string | undefined;
  readonly organisation: readonly string[];
  readonly type: string | undefined;
  readonly posted: string | undefined;
  readonly deadline: string | undefined;
  readonly archived: string | undefined;
  readonly active: string | undefined;
  readonly naics: string | undefined;
  readonly classification: string | undefined;
  readonly place: string;
  readonly awardDate: string | undefined;
}

const WASHINGTON = 'America/New_York';
const REQUESTS = /^(?:solicitation|combined synopsis\/solicitation|presolicitation|sources sought)$/i;

/** SAM.gov's own addresses change, and some require an account. */
export function samNoticePage(id: string): string {
  return id === '' ? 'https://sam.gov/' : `https://sam.gov/opp/${pathPart(id)}/view`;
}

export function extractSamNotice(notice: SamNotice): string {
  return tenderText({
    title: notice.title,
    buyer: notice.organisation,
    closing: notice.deadline,
    description: undefined,
    facts: { Type: notice.type, Posted: notice.posted, 'Place of performance': notice.place, NAICS: notice.naics },
  });
}

export function mapSamNotice(notice: SamNotice, excerpt: string | undefined): Mapped[] {
  const type = notice.type ?? refuse('type', 'is missing');
  if (/^award notice$/i.test(type)) return [award(notice)];
  if (!REQUESTS.test(type)) return [{ type: 'left_out', reason: 'the notice type asks for no bids' }];
  const publishedAt = readInstant('postedDate', notice.posted ?? refuse('postedDate', 'is missing'));
  const closing = ifPlausible(findClosing(notice.deadline, WASHINGTON), publishedAt);
  const archived = ifPlausible(findClosing(notice.archived, WASHINGTON), publishedAt);
  if (/^no$/i.test(notice.active ?? '') && !closing && !archived)
    return [{ type: 'left_out', reason: 'the notice is archived without a date' }];
  return [
    tenderObservation({
      buyer: buyerOf(notice),
      country: 'US',
      title: notice.title ?? refuse('title', 'is missing'),
      noticeType: type,
      publishedAt,
      closing: isEarlier(closing, archived) ? closing : undefined,
      archivedAt: archived?.at,
      eventIdentifiers: [numberOf(notice)],
      categories: [sectorOf(notice.naics)],
      excerpt: quotable('title', excerpt),
    }),
  ];
}

/** The sub-tier (Department of the Army), else the department; offices mean nothing outside. */
function buyerOf(notice: SamNotice): string {
  return notice.organisation[1] ?? notice.organisation[0] ?? refuse('fullParentPathName', 'is missing');
}

function award(notice: SamNotice): Mapped {
  if (staysOpen(notice.title, officeOf(notice))) return { type: 'left_out', reason: SCHEDULE_STAYS_OPEN };
  const identifier = numberOf(notice);
  if (!identifier) return { type: 'left_out', reason: NAMES_NO_REQUEST };
  const decided = notice.awardDate ?? notice.posted ?? refuse('award.date', 'is missing');
  return {
    type: 'closing',
    eventIdentifiers: [identifier],
    company: buyerCompany(buyerOf(notice), 'US'),
    reason: 'awarded',
    closedAt: readInstant('award.date', decided),
  };
}

function isEarlier(closing: TenderClosing | undefined, archived: TenderClosing | undefined): boolean {
  return closing !== undefined && (archived === undefined || closing.at <= archived.at);
}

function numberOf({ solicitation, naics, classification, ...notice }: SamNotice) {
  return federalIdentifier(solicitation, officeOf(notice), [naics, classification]);
}

function officeOf({ organisation }: Pick<SamNotice, 'organisation'>): string | undefined {
  return organisation.at(-1);
}
