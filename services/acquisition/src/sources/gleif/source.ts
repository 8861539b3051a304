import type { Source } from '../../connector/source.ts';
import { HOMEPAGE } from './lei-record.ts';
import { extractRecord, mapRecord } from './map.ts';
import { parseRecords, requestRecords } from './parse.ts';

export const gleif: Source = {
  name: 'gleif',
  title: 'GLEIF, Legal Entity Identifiers',
  publisher: 'Global Legal Entity Identifier Foundation',
  homepage: HOMEPAGE,
  licence: {
    name: 'Creative Commons CC0 1.0, by the LEI Data Terms of Use',
    uri: 'https://www.gleif.org/en/meta/lei-data-terms-of-use',
    attribution: 'GLEIF, Global Legal Entity Identifier Foundation',
  },
  kinds: ['company_profile'],
  verified: true,
  mode: 'scheduled',
  hosts: ['api.gleif.org'],
  politeness: { requestsPerSecond: 0.5, obeysRobots: false, maxRequestsPerRun: 200 },
  schedule: { everyMinutes: 10_080, jitterMinutes: 720 },
  settings: [{ name: 'leis', description: 'LEIs to ask for, separated by commas', required: true }],
  fields: {
    required: ['lei', 'entity.legalName.name', 'entity.status', 'entity.headquartersAddress.country'],
    usual: ['entity.jurisdiction', 'registration.status'],
  },
  extractorVersion: 2,
  mappingVersion: 2,
  requests: requestRecords,
  parse: parseRecords,
  extract: extractRecord,
  map: mapRecord,
};
