import type { Document, Parsed, Source } from '../../connector/source.ts';
import { readHead } from '../../extract/formats/head.ts';
import { plainLine, plainText } from '../../extract/formats/plain.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { type JobBoard, parseBoard, requestBoards } from '../families/jobs/board.ts';
import { jobSource } from '../families/jobs/job-source.ts';

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

export const greenhouse: Source = jobSource({
  name: 'greenhouse',
  title: 'Job boards on Greenhouse',
  publisher: 'The employers of the boards',
  attribution: 'Job board of the employer on Greenhouse',
  homepage: BOARD.homepage,
  hosts: ['boards-api.greenhouse.io'],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 500 },
  setting: BOARD.setting,
  fields: {
    required: ['id', 'title', 'first_published', 'location.name', 'absolute_url', 'company_name', 'content'],
    usual: ['internal_job_id'],
  },
  requests: (context) => requestBoards(BOARD, context),
  parse,
  lines: (job) => {
    const departments = job.list('departments').flatMap((one) => one.text('name') ?? []);
    const lines = ['title', 'company_name', 'location.name'].map((member) => plainLine(job.text(member)));
    return [...lines, departments.join(', '), plainText(job.text('content'))];
  },
  leaveOut: (job) => (job.text('internal_job_id') === undefined ? 'a prospect post, for no position' : undefined),
  read: (job) => {
    const board = job.text('board');
    const place = plainLine(job.need('location.name'));
    return {
      board: `greenhouse ${board ?? ''}`.trim(),
      id: job.need('id'),
      title: plainLine(job.need('title')),
      company: { key: board && `board ${board}`, name: job.text('employer.name') ?? job.need('company_name') },
      work: { field: 'location.name', place, remote: /\bremote\b/i.test(place) },
      publishedAt: readInstant('first_published', job.need('first_published')),
      description: plainText(job.need('content')),
    };
  },
});

/** Reads an answer, or its list of jobs. */
async function* parse(given: Document): AsyncGenerator<Parsed> {
  const { head, document } = await readHead(given, (text) => text !== '', MAX_BLANKS);
  yield* parseBoard(BOARD, document, head.startsWith('[') ? '' : 'jobs');
}
