import { boardTerms } from '../../jobs/board-terms.ts';
import { boardsSetting } from '../../jobs/employers.ts';
import type { Source } from '../source.ts';
import { extractPosting, mapSitePosting } from './map.ts';
import { HOMEPAGE, parseSite, requestSites } from './parse.ts';

/** The data centres that career sites stand in. */
const CENTRES = [1, 2, 3, 5, 10, 12, 101, 102, 103, 104, 105, 108, 501, 502, 503, 504, 505];

export const workday: Source = {
  name: 'workday',
  title: 'Career sites on Workday',
  publisher: 'The employers of the sites',
  ...boardTerms(HOMEPAGE, 'Career site of the employer on Workday'),
  verified: false,
  hosts: CENTRES.map((centre) => `*.wd${centre}.myworkdayjobs.com`),
  politeness: { requestsPerSecond: 1, obeysRobots: true, maxRequestsPerRun: 2_500 },
  schedule: { everyMinutes: 7_200, jitterMinutes: 720 },
  settings: [boardsSetting('sites', 'tenant.wd5/site')],
  fields: { required: ['title'], usual: ['startDate', 'jobDescription'] },
  extractorVersion: 1,
  mappingVersion: 4,
  requests: requestSites,
  parse: parseSite,
  extract: extractPosting,
  map: mapSitePosting,
};
