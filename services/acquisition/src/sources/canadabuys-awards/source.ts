import type { Mapped } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord, RunContext, Source } from '../../connector/source.ts';
import { readMembers } from '../../extract/formats/members.ts';
import { findInstant } from '../../extract/values/dates.ts';
import { COLUMNS, CONTACT_NAME, noticeIdentifiers, parseNotices } from '../canadabuys/notice.ts';
import { buyerOf, canadabuys, extractNotice } from '../canadabuys/source.ts';
import { buyerCompany } from '../families/tender/tender.ts';

const MAX_FILE_BYTES = 256 * 1024 * 1024;
export const AWARDED = 'contractAwardDate-dateAttributionContrat';
export const AWARD_STATUS = 'awardStatus-attributionStatut-eng';

export const canadabuysAwards: Source = {
  name: 'canadabuys_awards',
  title: 'CanadaBuys award notices',
  publisher: 'Public Services and Procurement Canada',
  homepage: canadabuys.homepage,
  licence: canadabuys.licence,
  kinds: [],
  verified: true,
  mode: 'scheduled',
  hosts: canadabuys.hosts,
  politeness: canadabuys.politeness,
  schedule: { everyMinutes: 1440, jitterMinutes: 120 },
  fields: {
    required: [
      COLUMNS.reference,
      COLUMNS.solicitation,
      COLUMNS.contractingEntity,
      COLUMNS.endUser,
      AWARDED,
      AWARD_STATUS,
    ],
    usual: [COLUMNS.title, CONTACT_NAME],
  },
  extractorVersion: 2,
  mappingVersion: 2,
  requests: (context) => [{ url: awardFile(context), maxBytes: MAX_FILE_BYTES }],
  parse: (document) => parseNotices(document, 'award-notice', awardKey),
  extract: extractNotice,
  map: mapAward,
};

/** As in `2026-2027-awardNotice-avisAttribution.csv`; the year begins on 1 April. */
function awardFile({ now }: RunContext): string {
  const year = now.getUTCMonth() >= 3 ? now.getUTCFullYear() : now.getUTCFullYear() - 1;
  return `https://canadabuys.canada.ca/opendata/pub/${year}-${year + 1}-awardNotice-avisAttribution.csv`;
}

function awardKey(row: Readonly<Record<string, string>>): string {
  const reference = row[COLUMNS.reference]?.trim() ?? '';
  const contract = row['contractNumber-numeroContrat']?.trim() ?? '';
  return reference && contract ? `${reference} ${contract}` : reference;
}

/** An award closes the tender with the same solicitation number. */
function mapAward(raw: RawRecord): Mapped[] {
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
