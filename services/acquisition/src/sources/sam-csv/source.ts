import type { Source } from '../source.ts';
import { extractRow, mapRow } from './map.ts';
import { parseExtract } from './parse.ts';

const EXTRACT =
  'https://falextracts.s3.amazonaws.com/Contract%20Opportunities/datagov/ContractOpportunitiesFullCSV.csv';
/** The columns that the mapping reads. */
const COLUMNS = [
  ...['NoticeId', 'Title', 'Sol#', 'Department/Ind.Agency', 'Sub-Tier', 'Office', 'PostedDate', 'Type', 'ArchiveDate'],
  ...[
    'ResponseDeadLine',
    'NaicsCode',
    'PopCity',
    'PopState',
    'PopCountry',
    'Active',
    'AwardDate',
    'Link',
    'Description',
  ],
];
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

export const samCsv: Source = {
  name: 'sam_csv',
  title: 'SAM.gov contract opportunities, daily extract',
  publisher: 'U.S. General Services Administration',
  homepage: 'https://sam.gov/data-services/Contract%20Opportunities/datagov?privacy=Public',
  licence: {
    name: 'United States government work, public domain',
    uri: 'https://www.usa.gov/government-copyright',
    attribution: 'SAM.gov, U.S. General Services Administration',
  },
  kinds: ['procurement_request'],
  verified: false,
  mode: 'scheduled',
  hosts: ['falextracts.s3.amazonaws.com'],
  politeness: { requestsPerSecond: 0.1, obeysRobots: true, maxRequestsPerRun: 1 },
  schedule: { everyMinutes: 1440, jitterMinutes: 120 },
  // Every extract has every column: one that is renamed must not change what the others seem to say.
  fields: { required: COLUMNS, usual: ['PrimaryContactFullname', 'SecondaryContactFullname', 'ClassificationCode'] },
  extractorVersion: 5,
  mappingVersion: 5,
  requests: () => [{ url: EXTRACT, maxBytes: MAX_FILE_BYTES }],
  parse: parseExtract,
  extract: extractRow,
  map: mapRow,
};
