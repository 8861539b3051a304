import { refuse } from '../../connector/refuse.ts';
import type { Source } from '../../connector/source.ts';
import type { Members } from '../../extract/formats/members.ts';
import { plainLine, plainText } from '../../extract/formats/plain.ts';
import { countryNamed } from '../../extract/places/places.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { type JobBoard, parseBoard, requestBoards } from '../families/jobs/board.ts';
import { jobSource } from '../families/jobs/job-source.ts';

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
const COUNTRY = 'address.postalAddress.addressCountry';

export const ashby: Source = jobSource({
  name: 'ashby',
  title: 'Job boards on Ashby',
  publisher: 'The employers of the boards',
  attribution: 'Job board of the employer on Ashby',
  homepage: BOARD.homepage,
  hosts: ['api.ashbyhq.com'],
  politeness: { requestsPerSecond: 1, obeysRobots: true, maxRequestsPerRun: 500 },
  setting: BOARD.setting,
  fields: {
    required: ['id', 'title', 'publishedAt', 'jobUrl', 'location', 'descriptionPlain'],
    usual: ['isListed', COUNTRY],
  },
  requests: (context) => requestBoards(BOARD, context),
  parse: (document) => parseBoard(BOARD, document, 'jobs'),
  lines: (job) => {
    const lines = ['title', 'location', 'department', 'team'].map((member) => plainLine(job.text(member)));
    return new Set([...lines, plainText(job.text('descriptionPlain'))]);
  },
  // A posting that its board does not list is not public.
  leaveOut: (job) => (job.flag('isListed') === false ? 'is not listed on the board' : undefined),
  read: (job) => {
    const work = workOf(job);
    // A board has no name but the one in its address, unless the operator supplies it.
    const board = job.text('board') ?? refuse('jobUrl', 'names no board');
    return {
      board: `ashby ${board}`,
      id: job.need('id'),
      title: plainLine(job.need('title')),
      company: { key: `board ${board}`, name: board },
      work: { field: 'location', ...work, remote: job.flag('isRemote') === true },
      publishedAt: readInstant('publishedAt', job.need('publishedAt')),
      description: plainText(job.need('descriptionPlain')),
    };
  },
});

/** The posting's own place precedes secondary ones. */
function workOf(job: Members): { readonly place: string; readonly country: string | undefined } {
  const at = [job, ...job.list('secondaryLocations')].find((one) => countryNamed(one.text(COUNTRY)));
  if (at) return { place: plainLine(placeOf(at)), country: at.text(COUNTRY) };
  return { place: plainLine(job.need('location')), country: job.text(COUNTRY) };
}

function placeOf(at: Members): string {
  const name = at.need('location');
  const region = at.text('address.postalAddress.addressRegion');
  return region && !name.includes(region) ? `${name}, ${region}` : name;
}
