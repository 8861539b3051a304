import {
  USASPENDING_HOMEPAGE,
  USASPENDING_HOST,
  USASPENDING_LICENCE,
  USASPENDING_PUBLISHER,
} from '../../awards/usaspending.ts';
import type { Source } from '../source.ts';
import { extractAward, mapAward } from './map.ts';
import { parseAwards, requestAwards } from './parse.ts';

export const usaspendingAwards: Source = {
  name: 'usaspending_awards',
  title: 'USAspending, new grants to companies',
  publisher: USASPENDING_PUBLISHER,
  homepage: USASPENDING_HOMEPAGE,
  licence: USASPENDING_LICENCE,
  kinds: ['funding_round'],
  verified: false,
  mode: 'scheduled',
  hosts: [USASPENDING_HOST],
  politeness: { requestsPerSecond: 0.5, obeysRobots: false, maxRequestsPerRun: 160 },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  fields: {
    required: ['generated_internal_id', 'Award ID', 'Recipient Name', 'Award Amount'],
    usual: ['Award Type', 'Description', 'Awarding Agency', 'Recipient Location.location_country_code'],
  },
  extractorVersion: 1,
  mappingVersion: 2,
  requests: requestAwards,
  parse: parseAwards,
  extract: extractAward,
  map: mapAward,
};
