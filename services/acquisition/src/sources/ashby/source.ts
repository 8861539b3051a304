import type { Source } from '../../connector/source.ts';
import { boardTerms, type JobBoard, parseBoard, requestBoards } from '../families/jobs/board.ts';
import { extractJob, mapJob } from './map.ts';

const BOARD: JobBoard = {
  setting: 'boards',
  member: 'board',
  homepage: 'https://developers.ashbyhq.com/docs/public-job-posting-api',
  request: (board) => `https://api.ashbyhq.com/posting-api/job-board/${board}`,
  address: 'jobUrl',
  boardOf: ({ hostname, pathname }) =>
    hostname === 'jobs.ashbyhq.com' ? /^\/([\w.-]+)\//.exec(pathname)?.[1] : undefined,
  // A duplicate, the form's address, and pay, which is no evidence of a need.
  leftOut: ['descriptionHtml', 'applyUrl', 'compensation', 'shouldDisplayCompensationOnJobPostings'],
};

export const ashby: Source = {
  name: 'ashby',
  title: 'Job boards on Ashby',
  publisher: 'The employers of the boards',
  ...boardTerms(BOARD.homepage, 'Job board of the employer on Ashby', BOARD.setting),
  hosts: ['api.ashbyhq.com'],
  politeness: { requestsPerSecond: 1, obeysRobots: true, maxRequestsPerRun: 500 },
  fields: {
    required: ['id', 'title', 'publishedAt', 'jobUrl', 'location', 'descriptionPlain'],
    usual: ['isListed', 'address.postalAddress.addressCountry'],
  },
  extractorVersion: 1,
  mappingVersion: 6,
  requests: (context) => requestBoards(BOARD, context),
  parse: (document) => parseBoard(BOARD, document, 'jobs'),
  extract: extractJob,
  map: mapJob,
};
