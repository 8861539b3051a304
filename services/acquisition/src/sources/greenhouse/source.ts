import type { Source } from '../../connector/source.ts';
import { boardTerms } from '../families/jobs/board-terms.ts';
import { boardsSetting } from '../families/jobs/employers.ts';
import { extractJob, mapJob } from './map.ts';
import { HOMEPAGE, parseBoard, requestBoards } from './parse.ts';

export const greenhouse: Source = {
  name: 'greenhouse',
  title: 'Job boards on Greenhouse',
  publisher: 'The employers of the boards',
  ...boardTerms(HOMEPAGE, 'Job board of the employer on Greenhouse'),
  verified: true,
  hosts: ['boards-api.greenhouse.io'],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 500 },
  schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
  settings: [boardsSetting('boards')],
  fields: {
    required: ['id', 'title', 'first_published', 'location.name', 'absolute_url', 'company_name', 'content'],
    usual: ['internal_job_id'],
  },
  extractorVersion: 1,
  mappingVersion: 6,
  requests: requestBoards,
  parse: parseBoard,
  extract: extractJob,
  map: mapJob,
};
