import type { Source } from '../../connector/source.ts';
import {
  CONTACT,
  DATA_HOST,
  DATA_PER_SECOND,
  FILES_HOST,
  HOMEPAGE,
  LICENCE,
  PUBLISHER,
} from '../families/edgar/terms.ts';
import { extractProfile, mapProfile } from './map.ts';
import { parseProfiles, requestProfiles } from './parse.ts';

export const secProfiles: Source = {
  name: 'sec_profiles',
  title: 'SEC EDGAR, companies that file',
  publisher: PUBLISHER,
  homepage: HOMEPAGE,
  licence: LICENCE,
  kinds: ['company_profile'],
  verified: true,
  mode: 'scheduled',
  hosts: [DATA_HOST, FILES_HOST],
  politeness: { requestsPerSecond: DATA_PER_SECOND, obeysRobots: false, maxRequestsPerRun: 1_100 },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  settings: [CONTACT],
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
