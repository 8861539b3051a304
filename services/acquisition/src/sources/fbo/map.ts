import { readInstant } from '../../extract/dates.ts';
import { chooseExcerpt } from '../../extract/excerpt.ts';
import { type Members, readMembers } from '../../extract/members.ts';
import { sectorOf } from '../../extract/naics.ts';
import { findClosing } from '../../tender/closing.ts';
import { solicitationIdentifier } from '../../tender/solicitation.ts';
import { buyerCompany, tenderObservation } from '../../tender/tender.ts';
import { tenderText } from '../../tender/text.ts';
import type { Mapped } from '../mapped.ts';
import { refuse } from '../refuse.ts';
import type { RawRecord } from '../source.ts';

/** Closing dates are days, written by one layout as midnight: responses are taken until the day ends there. */
const WASHINGTON = 'America/New_York';

/** The notice types that ask for bids or prepare to, in words. */
const REQUESTS: Readonly<Record<string, string>> = {
  PRESOL: 'Presolicitation',
  COMBINE: 'Combined Synopsis/Solicitation',
  SRCSGT: 'Sources Sought',
  MOD: 'Modification',
};

/** Title, agency and deadline, the description, then what else the notice says. */
export function extractFboNotice(content: string): string {
  const notice = readMembers(content);
  return tenderText({
    title: notice.text('title'),
    buyer: ['agency', 'office', 'location'].flatMap((member) => notice.text(member) ?? []),
    closing: notice.text('close_dt')?.slice(0, 10),
    description: notice.text('description'),
    facts: { Type: notice.text('notice_type'), Posted: notice.text('posted_dt')?.slice(0, 10), NAICS: naicsOf(notice) },
  });
}

/** A request for bids as an observation of the agency, an award as a closing; other types are left out. */
export function mapFboNotice(raw: RawRecord, text: string): Mapped[] {
  const notice = readMembers(raw.content);
  const type = notice.need('notice_type').toUpperCase();
  const posted = readInstant('posted_dt', notice.need('posted_dt'));
  const identifier = solicitationIdentifier(notice.need('solnbr'));
  const company = buyerCompany(notice.need('agency'), 'US');
  if (type === 'AWARD' && identifier)
    return [{ type: 'closing', eventIdentifiers: [identifier], company, reason: 'awarded', closedAt: posted }];
  const noticeType = Object.hasOwn(REQUESTS, type) ? REQUESTS[type] : undefined;
  if (noticeType === undefined) return [{ type: 'left_out', reason: 'the notice type asks for no bids' }];
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
      excerpt: chooseExcerpt(text) ?? refuse('description', 'holds nothing that may be quoted'),
    }),
  ];
}

function naicsOf(notice: Members): string | undefined {
  return notice.text('FBO_NAICS') ?? notice.text('ext.NAICS');
}
