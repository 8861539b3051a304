import type { Mapped } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord } from '../../connector/source.ts';
import { readMembers } from '../../extract/formats/members.ts';
import { findInstant } from '../../extract/values/dates.ts';
import { buyerOf } from '../canadabuys/map.ts';
import { COLUMNS, noticeIdentifiers } from '../canadabuys/notice.ts';
import { buyerCompany } from '../families/tender/tender.ts';

export const AWARDED = 'contractAwardDate-dateAttributionContrat';
export const AWARD_STATUS = 'awardStatus-attributionStatut-eng';

/** An award closes the tender with the same solicitation number. */
export function mapAward(raw: RawRecord): Mapped[] {
  const row = readMembers(raw.content);
  row.need(COLUMNS.reference);
  if (/cancel/i.test(row.text(AWARD_STATUS) ?? '')) return [{ type: 'left_out', reason: 'the award is cancelled' }];
  if (/supply arrangement/i.test(row.text(COLUMNS.noticeType) ?? ''))
    return [{ type: 'left_out', reason: 'a supply arrangement stays open for further suppliers' }];
  const closedAt = findInstant(row.need(AWARDED)) ?? refuse(AWARDED, 'is no date');
  const buyer = buyerOf(row);
  const eventIdentifiers = noticeIdentifiers(buyer, row.need(COLUMNS.solicitation));
  if (eventIdentifiers.length === 0)
    return [{ type: 'left_out', reason: 'its solicitation number is too short to name one tender' }];
  const company = buyerCompany(buyer, 'CA');
  return [{ type: 'closing', eventIdentifiers, company, reason: 'awarded', closedAt }];
}
