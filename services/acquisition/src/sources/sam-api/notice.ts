import type { Mapped } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { quotable } from '../../extract/passages/excerpt.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { sectorOf } from '../../extract/values/naics.ts';
import { pathPart } from '../../extract/values/web-address.ts';
import {
  findClosing,
  ifPlausible,
  NAMES_NO_REQUEST,
  SCHEDULE_STAYS_OPEN,
  staysOpen,
  type TenderClosing,
} from '../families/tender/closing.ts';
import { federalIdentifier } from '../families/tender/solicitation.ts';
import { buyerCompany, tenderObservation } from '../families/tender/tender.ts';
import { chooseTenderExcerpt, tenderText } from '../families/tender/text.ts';

type SamNotice = ReturnType<typeof toNotice>;

const WASHINGTON = 'America/New_York';
const REQUESTS = /^(?:solicitation|combined synopsis\/solicitation|presolicitation|sources sought)$/i;

/** SAM.gov's own addresses change, and some require an account. */
export function samNoticePage(id: string): string {
  return id === '' ? 'https://sam.gov/' : `https://sam.gov/opp/${pathPart(id)}/view`;
}

export function extractOpportunity(content: string): string {
  const notice = toNotice(readMembers(content));
  return tenderText({
    title: notice.title,
    buyer: notice.organisation,
    closing: notice.deadline,
    description: undefined,
    facts: { Type: notice.type, Posted: notice.posted, 'Place of performance': notice.place, NAICS: notice.naics },
  });
}

export function mapOpportunity(raw: RawRecord, text: string): Mapped[] {
  const opportunity = readMembers(raw.content);
  opportunity.need('noticeId');
  const notice = toNotice(opportunity);
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
      excerpt: quotable('title', chooseTenderExcerpt(text)),
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

function toNotice(opportunity: Members) {
  const texts = (...paths: string[]) => paths.flatMap((path) => opportunity.text(path) ?? []);
  return {
    title: opportunity.text('title'),
    solicitation: opportunity.text('solicitationNumber'),
    organisation: organisationOf(opportunity.text('fullParentPathName')) ?? texts('department', 'subTier', 'office'),
    type: opportunity.text('type'),
    posted: opportunity.text('postedDate'),
    deadline: opportunity.text('responseDeadLine') ?? opportunity.text('reponseDeadLine'),
    archived: opportunity.text('archiveDate'),
    active: opportunity.text('active'),
    naics: opportunity.text('naicsCode'),
    classification: opportunity.text('classificationCode'),
    place: placeOf(opportunity),
    awardDate: opportunity.text('award.date'),
  };
}

/** Codes where they exist. For regions of other countries the names say more. */
function placeOf(opportunity: Members): string {
  const at = (part: string) => opportunity.text(`placeOfPerformance.${part}`);
  const state = at('state.code');
  const isForeign = state?.includes('-') ?? false;
  const parts = [
    at('city.name'),
    isForeign ? (at('state.name') ?? state) : (state ?? at('state.name')),
    at('country.code') ?? at('country.name'),
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/**
 * Dots separate the names, unless one follows a single letter or precedes a blank: `U.S. ARMY`. A
 * department without sub-tiers occurs twice.
 */
function organisationOf(path: string | undefined): string[] | undefined {
  return path
    ?.split(/(?<!\b\p{L})\.(?!\s)/u)
    .map((name) => name.trim().replace(/\s+/g, ' '))
    .filter((name) => name !== '');
}
