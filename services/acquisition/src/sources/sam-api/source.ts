import type { Source } from '../../connector/source.ts';
import { extractOpportunity, mapOpportunity } from './map.ts';
import { parseAnswer } from './parse.ts';
import { queryNotices } from './query.ts';

export const samApi: Source = {
  name: 'sam_api',
  title: 'SAM.gov Get Opportunities API, version 2',
  publisher: 'U.S. General Services Administration',
  homepage: 'https://open.gsa.gov/api/get-opportunities-public-api/',
  licence: {
    name: 'United States government work, public domain',
    uri: 'https://www.usa.gov/government-copyright',
    attribution: 'SAM.gov, U.S. General Services Administration',
  },
  kinds: ['procurement_request'],
  verified: true,
  mode: 'on_demand',
  hosts: ['api.sam.gov'],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 1, maxRequestsPerDay: 10 },
  settings: [{ name: 'api_key', description: 'key of an account at SAM.gov', secret: true, required: true }],
  fields: {
    required: ['noticeId', 'title', 'type', 'postedDate'],
    usual: [
      'solicitationNumber',
      'fullParentPathName',
      'responseDeadLine',
      'archiveDate',
      'naicsCode',
      'active',
      'classificationCode',
      'pointOfContact',
    ],
  },
  extractorVersion: 5,
  mappingVersion: 5,
  query: queryNotices,
  parse: parseAnswer,
  extract: extractOpportunity,
  map: mapOpportunity,
};
