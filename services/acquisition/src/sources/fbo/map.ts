import type { EventIdentifier, Mapped, MappedCompany } from '../../connector/mapped.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainText } from '../../extract/formats/plain.ts';
import { quotable } from '../../extract/passages/excerpt.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { sectorOf } from '../../extract/values/naics.ts';
import { NAMES_NO_REQUEST, SCHEDULE_STAYS_OPEN, staysOpen } from '../families/tender/award.ts';
import { findClosing } from '../families/tender/closing.ts';
import { chooseTenderExcerpt } from '../families/tender/excerpt.ts';
import { federalIdentifier } from '../families/tender/solicitation.ts';
import { isSourceList } from '../families/tender/source-list.ts';
import { buyerCompany, tenderObservation } from '../families/tender/tender.ts';
import { tenderText } from '../families/tender/text.ts';

/** Closing days end in Washington; one layout writes them as midnight. */
const WASHINGTON = 'America/New_York';

const REQUESTS: Readonly<Record<string, string>> = {
  PRESOL: 'Presolicitation',
  COMBINE: 'Combined Synopsis/Solicitation',
  SRCSGT: 'Sources Sought',
  MOD: 'Modification',
};

export function extractFboNotice(content: string): string {
  const notice = readMembers(content);
  return tenderText({
    title: notice.text('title'),
    buyer: ['agency', 'office', 'location'].flatMap((member) => notice.text(member) ?? []),
    closing: notice.text('close_dt')?.slice(0, 10),
    description: notice.text('description'),
    facts: {
      Type: typeName(notice.text('notice_type')),
      Posted: notice.text('posted_dt')?.slice(0, 10),
      NAICS: naicsOf(notice),
    },
  });
}

export function mapFboNotice(raw: RawRecord, text: string): Mapped[] {
  const notice = readMembers(raw.content);
  const type = notice.need('notice_type').toUpperCase();
  const posted = readInstant('posted_dt', notice.need('posted_dt'));
  const identifier = numberOf(notice);
  const company = buyerCompany(notice.need('agency'), 'US');
  if (type === 'AWARD') return [award(notice, identifier, company, posted)];
  const noticeType = typeName(type);
  if (noticeType === undefined) return [{ type: 'left_out', reason: 'the notice type asks for no bids' }];
  if (isSourceList(noticeType, plainText(notice.text('description'))))
    return [{ type: 'left_out', reason: 'the notice keeps a list of suppliers and says that it asks for no bids' }];
  return [
    tenderObservation({
      buyer: company.name,
      country: 'US',
      title: notice.need('title'),
      noticeType,
      publishedAt: posted,
      closing: findClosing(notice.text('close_dt')?.slice(0, 10), WASHINGTON),
      eventIdentifiers: [identifier],
      categories: [sectorOf(naicsOf(notice))],
      excerpt: quotable('description', chooseTenderExcerpt(text)),
    }),
  ];
}

function award(
  notice: Members,
  identifier: EventIdentifier | undefined,
  company: MappedCompany,
  closedAt: Date,
): Mapped {
  if (staysOpen(notice.text('title'), officeOf(notice))) return { type: 'left_out', reason: SCHEDULE_STAYS_OPEN };
  if (!identifier) return { type: 'left_out', reason: NAMES_NO_REQUEST };
  return { type: 'closing', eventIdentifiers: [identifier], company, reason: 'awarded', closedAt };
}

function typeName(type: string | undefined): string | undefined {
  const code = type?.toUpperCase() ?? '';
  return Object.hasOwn(REQUESTS, code) ? REQUESTS[code] : undefined;
}

function numberOf(notice: Members): EventIdentifier | undefined {
  const classes = [naicsOf(notice), notice.text('FBO_CLASSCOD') ?? notice.text('ext.CLASSCOD')];
  return federalIdentifier(notice.need('solnbr'), officeOf(notice), classes);
}

/** The location, else the office above it. */
function officeOf(notice: Members): string | undefined {
  return notice.text('location') ?? notice.text('office');
}

function naicsOf(notice: Members): string | undefined {
  return notice.text('FBO_NAICS') ?? notice.text('ext.NAICS');
}
