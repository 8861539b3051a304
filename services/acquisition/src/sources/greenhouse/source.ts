import type { Document, Parsed, Source } from '../../connector/source.ts';
import { readHead } from '../../extract/formats/head.ts';
import { boardTerms, type JobBoard, parseBoard, requestBoards } from '../families/jobs/board.ts';
import { extractJob, mapJob } from './map.ts';

const BOARD: JobBoard = {
  setting: 'boards',
  member: 'board',
  homepage: 'https://developers.greenhouse.io/job-board.html',
  request: (board) => `https://boards-api.greenhouse.io/v1/boards/${board}/jobs?content=true`,
  address: 'absolute_url',
  // `acme` for `https://job-boards.greenhouse.io/acme/jobs/1`.
  boardOf: ({ hostname, pathname }) =>
    hostname.endsWith('greenhouse.io') ? /^\/([\w.-]+)\/jobs\//.exec(pathname)?.[1] : undefined,
  // Settings of the form, custom fields, and a time that changes without the posting.
  leftOut: ['metadata', 'data_compliance', 'updated_at', 'questions', 'compliance', 'demographic_questions'],
};
const MAX_BLANKS = 64 * 1024;

export const greenhouse: Source = {
  name: 'greenhouse',
  title: 'Job boards on Greenhouse',
  publisher: 'The employers of the boards',
  ...boardTerms(BOARD.homepage, 'Job board of the employer on Greenhouse', BOARD.setting),
  hosts: ['boards-api.greenhouse.io'],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 500 },
  fields: {
    required: ['id', 'title', 'first_published', 'location.name', 'absolute_url', 'company_name', 'content'],
    usual: ['internal_job_id'],
  },
  extractorVersion: 1,
  mappingVersion: 6,
  requests: (context) => requestBoards(BOARD, context),
  parse,
  extract: extractJob,
  map: mapJob,
};

/** Reads an answer, or its list of jobs. */
async function* parse(given: Document): AsyncGenerator<Parsed> {
  const { head, document } = await readHead(given, (text) => text !== '', MAX_BLANKS);
  yield* parseBoard(BOARD, document, head.startsWith('[') ? '' : 'jobs');
}
