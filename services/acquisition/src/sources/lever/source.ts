import type { Source } from '../../connector/source.ts';
import { boardTerms, type JobBoard, parseBoard, requestBoards } from '../families/jobs/board.ts';
import { extractPosting, mapSitePosting } from './map.ts';

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

export const lever: Source = {
  name: 'lever',
  title: 'Job sites on Lever',
  publisher: 'The employers of the sites',
  ...boardTerms(BOARD.homepage, 'Job site of the employer on Lever', BOARD.setting),
  hosts: ['api.lever.co'],
  politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 500 },
  fields: {
    required: ['id', 'text', 'createdAt', 'hostedUrl', 'categories', 'descriptionPlain'],
    usual: ['categories.location', 'workplaceType', 'country', 'lists'],
  },
  extractorVersion: 1,
  mappingVersion: 6,
  requests: (context) => requestBoards(BOARD, context),
  parse: (document) => parseBoard(BOARD, document),
  extract: extractPosting,
  map: mapSitePosting,
};
