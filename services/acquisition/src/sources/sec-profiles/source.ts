import type { Source } from '../../connector/source.ts';
import { DATA_HOST, DATA_PER_SECOND, EDGAR_TERMS, FILES_HOST } from '../families/edgar/terms.ts';
import { extractProfile, mapProfile } from './map.ts';
import { parseProfiles, requestProfiles } from './parse.ts';

export const secProfiles: Source = {
  name: 'sec_profiles',
  title: 'SEC EDGAR, companies that file',
  ...EDGAR_TERMS,
  kinds: ['company_profile'],
  hosts: [DATA_HOST, FILES_HOST],
  politeness: { requestsPerSecond: DATA_PER_SECOND, obeysRobots: false, maxRequestsPerRun: 1_100 },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  fields: {
    required: ['cik', 'name', 'entityType', 'sicDescription', 'addresses.business.stateOrCountry'],
    usual: [],
  },
  extractorVersion: 2,
  mappingVersion: 2,
  requests: requestProfiles,
  parse: parseProfiles,
  extract: extractProfile,
  map: mapProfile,
};
