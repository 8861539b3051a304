import type { Source } from '../../connector/source.ts';
import { boardTerms } from '../families/jobs/board-terms.ts';
import { boardsSetting } from '../families/jobs/employers.ts';
import { extractPosting, mapSitePosting } from './map.ts';
import { HOMEPAGE, parseSite, requestSites } from './parse.ts';

export const lever: Source = {
  name: 'lever',
  title: 'Job sites on Lever',
  publisher: 'The employers of the sites',
  ...boardTerms(HOMEPAGE, 'Job site of the employer on Lever'),
  verified: true,
  hosts: ['api.lever.co'],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 500 },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  settings: [boardsSetting('sites')],
  fields: {
    required: ['id', 'text', 'createdAt', 'hostedUrl', 'categories', 'descriptionPlain'],
    usual: ['categories.location', 'workplaceType', 'country', 'lists'],
  },
  extractorVersion: 1,
  mappingVersion: 6,
  requests: requestSites,
  parse: parseSite,
  extract: extractPosting,
  map: mapSitePosting,
};
