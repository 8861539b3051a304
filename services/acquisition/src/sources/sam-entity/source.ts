import type { Source } from '../../connector/source.ts';
import { samApi } from '../sam-api/source.ts';
import { extractEntity, mapEntity } from './map.ts';
import { HOMEPAGE, HOST, parseEntities, REQUESTS_A_RUN, requestEntities } from './parse.ts';

export const samEntity: Source = {
  name: 'sam_entity',
  title: 'SAM.gov entity registrations, interface v3',
  publisher: 'U.S. General Services Administration',
  homepage: HOMEPAGE,
  licence: samApi.licence,
  kinds: ['company_profile'],
  verified: true,
  mode: 'scheduled',
  hosts: [HOST],
  politeness: {
    requestsPerSecond: 0.5,
    obeysRobots: false,
    maxRequestsPerRun: REQUESTS_A_RUN,
    maxRequestsPerDay: REQUESTS_A_RUN,
  },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  settings: [
    { name: 'api_key', description: 'key of an account at SAM.gov', secret: true, required: true },
    { name: 'ueis', description: 'UEIs to ask for, separated by commas', required: true },
  ],
  fields: {
    required: [
      'entityRegistration.ueiSAM',
      'entityRegistration.legalBusinessName',
      'entityRegistration.registrationStatus',
      'coreData.physicalAddress.countryCode',
    ],
    usual: ['entityRegistration.cageCode', 'assertions.goodsAndServices.primaryNaics'],
  },
  extractorVersion: 1,
  mappingVersion: 1,
  requests: requestEntities,
  parse: parseEntities,
  extract: extractEntity,
  map: mapEntity,
};
