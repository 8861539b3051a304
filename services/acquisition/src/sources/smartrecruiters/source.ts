import { boardsSetting } from '../../jobs/employers.ts';
import type { Source } from '../source.ts';
import { extractPosting, mapSitePosting } from './map.ts';
import { HOMEPAGE, parsePostings, requestCompanies } from './parse.ts';

export const smartrecruiters: Source = {
  name: 'smartrecruiters',
  title: 'Job postings on SmartRecruiters',
  publisher: 'The employers of the postings',
  homepage: HOMEPAGE,
  licence: {
    name: 'Published by the employer for everybody to read; no licence stated',
    uri: HOMEPAGE,
    attribution: 'Job postings of the employer on SmartRecruiters',
  },
  kinds: ['job_posting', 'technology_use'],
  verified: true,
  mode: 'scheduled',
  hosts: ['api.smartrecruiters.com'],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 2_000 },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  settings: [boardsSetting('companies')],
  fields: {
    required: ['id', 'name', 'releasedDate', 'company.identifier', 'location'],
    usual: ['company.name', 'location.country', 'location.city'],
  },
  extractorVersion: 1,
  mappingVersion: 1,
  requests: requestCompanies,
  parse: parsePostings,
  extract: extractPosting,
  map: mapSitePosting,
};
