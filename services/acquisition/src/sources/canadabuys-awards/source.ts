import type { RunContext, Source } from '../../connector/source.ts';
import { extractNotice } from '../canadabuys/map.ts';
import { COLUMNS, CONTACT_NAME } from '../canadabuys/notice.ts';
import { parseNotices } from '../canadabuys/parse.ts';
import { canadabuys } from '../canadabuys/source.ts';
import { AWARD_STATUS, AWARDED, mapAward } from './map.ts';

const MAX_FILE_BYTES = 256 * 1024 * 1024;

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
