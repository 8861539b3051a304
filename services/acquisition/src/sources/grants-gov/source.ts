import type { Source } from '../source.ts';
import { extractOpportunity, mapOpportunity } from './map.ts';
import { AGENCY, NUMBER, POSTED, TITLE } from './opportunity.ts';
import { HOMEPAGE, HOST, parseAnswer, requestOpportunities } from './parse.ts';

export const grantsGov: Source = {
  name: 'grants_gov',
  title: 'Grants.gov, open opportunities',
  publisher: 'U.S. Department of Health and Human Services, Grants.gov',
  homepage: HOMEPAGE,
  licence: {
    name: 'Work of the United States government, public domain',
    uri: 'https://www.usa.gov/government-works',
    attribution: 'Grants.gov',
  },
  kinds: ['procurement_request'],
  verified: false,
  mode: 'scheduled',
  hosts: [HOST],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 400 },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  fields: { required: [TITLE, NUMBER, AGENCY, POSTED], usual: [] },
  extractorVersion: 1,
  mappingVersion: 4,
  requests: requestOpportunities,
  parse: parseAnswer,
  extract: extractOpportunity,
  map: mapOpportunity,
};
