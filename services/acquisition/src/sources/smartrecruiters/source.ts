import type { Source } from '../../connector/source.ts';
import { boardTerms } from '../families/jobs/board.ts';
import { extractPosting, mapSitePosting } from './map.ts';
import { HOMEPAGE, parsePostings, requestCompanies } from './parse.ts';

export const smartrecruiters: Source = {
  name: 'smartrecruiters',
  title: 'Job postings on SmartRecruiters',
  publisher: 'The employers of the postings',
  ...boardTerms(HOMEPAGE, 'Job postings of the employer on SmartRecruiters', 'companies'),
  hosts: ['api.smartrecruiters.com'],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 2_000 },
  fields: {
    required: ['id', 'name', 'releasedDate', 'company.identifier', 'location'],
    usual: ['company.name', 'location.country', 'location.city'],
  },
  extractorVersion: 1,
  mappingVersion: 6,
  requests: requestCompanies,
  parse: parsePostings,
  extract: extractPosting,
  map: mapSitePosting,
};
