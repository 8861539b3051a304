import type { Source } from '../../connector/source.ts';
import { feedRequests } from '../families/edgar/feed.ts';
import { ACCESSION, CIK, COMPANY, FILED, FORM, PERIOD, STATE } from '../families/edgar/fields.ts';
import { parseEdgar } from '../families/edgar/filing.ts';
import { EDGAR_TERMS, FILES_HOST, FILES_PER_SECOND } from '../families/edgar/terms.ts';
import { mapReport } from './map.ts';
import { extractReport } from './text.ts';

const PAGES = 4;
const FIELDS = [FORM, COMPANY, CIK, ACCESSION, FILED, PERIOD, STATE];

export const sec8k: Source = {
  name: 'sec_8k',
  title: 'SEC EDGAR, current reports on Form 8-K',
  ...EDGAR_TERMS,
  kinds: ['leadership_change', 'partnership', 'product_launch', 'facility_expansion', 'funding_round'],
  hosts: [FILES_HOST],
  politeness: { requestsPerSecond: FILES_PER_SECOND, obeysRobots: false, maxRequestsPerRun: 600 },
  schedule: { everyMinutes: 60, jitterMinutes: 15 },
  fields: { required: FIELDS, usual: [] },
  extractorVersion: 3,
  mappingVersion: 8,
  requests: () => feedRequests('8-K', PAGES),
  parse: (document) =>
    parseEdgar(document, {
      forms: new Set(['8-K', '8-K/A']),
      fields: FIELDS,
      documents: /^(?:8-K(?:\/A)?|EX-99(?:\..*)?)$/,
      keep: ({ text }) => text,
      keyOf: (_, accession) => accession,
    }),
  extract: extractReport,
  map: mapReport,
};
