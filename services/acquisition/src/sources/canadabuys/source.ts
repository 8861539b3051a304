import type { Source } from '../../connector/source.ts';
import { extractNotice, mapNotice } from './map.ts';
import { COLUMNS, CONTACT_NAME } from './notice.ts';
import { HOMEPAGE, parseNotices } from './parse.ts';

const OPEN_TENDERS = 'https://canadabuys.canada.ca/opendata/pub/openTenderNotice-ouvertAvisAppelOffres.csv';
const MAX_FILE_BYTES = 256 * 1024 * 1024;

export const canadabuys: Source = {
  name: 'canadabuys',
  title: 'CanadaBuys tender notices',
  publisher: 'Public Services and Procurement Canada',
  homepage: HOMEPAGE,
  licence: {
    name: 'Open Government Licence – Canada',
    uri: 'https://open.canada.ca/en/open-government-licence-canada',
    attribution: 'Contains information licensed under the Open Government Licence – Canada.',
  },
  kinds: ['procurement_request'],
  verified: true,
  mode: 'scheduled',
  hosts: ['canadabuys.canada.ca'],
  politeness: { requestsPerSecond: 0.1, obeysRobots: true, maxRequestsPerRun: 2 },
  schedule: { everyMinutes: 360, jitterMinutes: 60 },
  fields: { required: Object.values(COLUMNS), usual: [CONTACT_NAME] },
  extractorVersion: 5,
  mappingVersion: 5,
  requests: () => [{ url: OPEN_TENDERS, maxBytes: MAX_FILE_BYTES }],
  parse: (document) => parseNotices(document, 'tender-notice', (row) => row[COLUMNS.reference]?.trim() ?? ''),
  extract: extractNotice,
  map: mapNotice,
};
