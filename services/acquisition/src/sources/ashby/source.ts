import type { Source } from '../../connector/source.ts';
import { boardTerms } from '../families/jobs/board-terms.ts';
import { boardsSetting } from '../families/jobs/employers.ts';
import { extractJob, mapJob } from './map.ts';
import { HOMEPAGE, parseBoard, requestBoards } from './parse.ts';

export const ashby: Source = {
  name: 'ashby',
  title: 'Job boards on Ashby',
  publisher: 'The employers of the boards',
  ...boardTerms(HOMEPAGE, 'Job board of the employer on Ashby'),
  verified: true,
  hosts: ['api.ashbyhq.com'],
  politeness: { requestsPerSecond: 1, obeysRobots: true, maxRequestsPerRun: 500 },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  settings: [boardsSetting('boards')],
  fields: {
    required: ['id', 'title', 'publishedAt', 'jobUrl', 'location', 'descriptionPlain'],
    usual: ['isListed', 'address.postalAddress.addressCountry'],
  },
  extractorVersion: 1,
  mappingVersion: 6,
  requests: requestBoards,
  parse: parseBoard,
  extract: extractJob,
  map: mapJob,
};
