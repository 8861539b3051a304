import { refuse } from '../../connector/refuse.ts';
import type { Source } from '../../connector/source.ts';
import type { Members } from '../../extract/formats/members.ts';
import { plainLine, plainText } from '../../extract/formats/plain.ts';
import { type JobBoard, parseBoard, requestBoards } from '../families/jobs/board.ts';
import { jobSource } from '../families/jobs/job-source.ts';

const BOARD: JobBoard = {
  setting: 'sites',
  member: 'site',
  homepage: 'https://github.com/lever/postings-api',
  request: (board) => `https://api.lever.co/v0/postings/${board}?mode=json`,
  address: 'hostedUrl',
  boardOf: ({ hostname, pathname }) =>
    hostname.endsWith('lever.co') ? /^\/([\w.-]+)\//.exec(pathname)?.[1] : undefined,
  // Duplicates of the texts, and the address of the form.
  leftOut: [
    ...['additional', 'description', 'opening', 'openingPlain', 'descriptionBody', 'descriptionBodyPlain'],
    'applyUrl',
  ],
};

export const lever: Source = jobSource({
  name: 'lever',
  title: 'Job sites on Lever',
  publisher: 'The employers of the sites',
  attribution: 'Job site of the employer on Lever',
  homepage: BOARD.homepage,
  hosts: ['api.lever.co'],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 500 },
  setting: BOARD.setting,
  fields: {
    required: ['id', 'text', 'createdAt', 'hostedUrl', 'categories', 'descriptionPlain'],
    usual: ['categories.location', 'workplaceType', 'country', 'lists'],
  },
  requests: (context) => requestBoards(BOARD, context),
  parse: (document) => parseBoard(BOARD, document),
  lines: (posting) => {
    const lines = ['text', 'categories.location', 'categories.team'].map((member) => plainLine(posting.text(member)));
    return [...lines, descriptionOf(posting)];
  },
  read: (posting) => {
    // A site has no name but the one in its address, unless the operator supplies it.
    const site = posting.text('site') ?? refuse('hostedUrl', 'names no site');
    return {
      board: `lever ${site}`,
      id: posting.need('id'),
      title: plainLine(posting.need('text')),
      company: { key: `site ${site}`, name: site },
      work: {
        field: 'categories.location',
        place: posting.text('categories.location'),
        country: posting.text('country'),
        remote: posting.text('workplaceType') === 'remote',
      },
      publishedAt: createdAt(posting),
      description: descriptionOf(posting),
    };
  },
});

function descriptionOf(posting: Members): string {
  const lists = posting.list('lists').flatMap((list) => [list.text('text'), list.text('content')]);
  const parts = [posting.text('descriptionPlain'), ...lists, posting.text('additionalPlain')];
  return parts
    .map(plainText)
    .filter((part) => part !== '')
    .join('\n');
}

function createdAt(posting: Members): Date {
  const at = posting.number('createdAt');
  return at !== undefined && at > 0 && at < 7_258_118_400_000 ? new Date(at) : refuse('createdAt', 'is no date');
}
