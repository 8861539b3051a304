import type { Document, FetchRequest, Parsed, RunContext } from '../../connector/source.ts';
import { readHead } from '../../extract/formats/head.ts';
import { readJsonItems } from '../../extract/formats/json-stream.ts';
import { fieldNames } from '../../extract/formats/members.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { firstWebAddress, isWebAddress } from '../../extract/values/web-address.ts';
import { readEmployers } from '../families/jobs/employers.ts';

export const HOMEPAGE = 'https://developers.greenhouse.io/job-board.html';

/**
 * Settings of the form, custom fields of the employer, and a time that changes without the posting.
 */
const LEFT_OUT = ['metadata', 'data_compliance', 'updated_at', 'questions', 'compliance', 'demographic_questions'];
const MAX_BLANKS = 64 * 1024;

export function requestBoards({ settings }: RunContext): FetchRequest[] {
  return readEmployers(settings.get('boards')).map(({ board }) => ({
    url: `https://boards-api.greenhouse.io/v1/boards/${encodeURIComponent(board)}/jobs?content=true`,
    about: { board },
  }));
}

export async function* parseBoard(given: Document): AsyncGenerator<Parsed> {
  const { head, document } = await readHead(given, (text) => text !== '', MAX_BLANKS);
  let position = 0;
  for await (const item of readJsonItems(document, head.startsWith('[') ? '' : 'jobs')) {
    position += 1;
    yield toRecord(item, document, position);
  }
}

function toRecord(item: unknown, document: Document, position: number): Parsed {
  const job: Readonly<Record<string, unknown>> = typeof item === 'object' && item !== null ? { ...item } : {};
  const board = boardOf(job.absolute_url) ?? document.about.board;
  const employer = readEmployers(document.settings.get('boards')).find((one) => one.board === board);
  const id = typeof job.id === 'number' || typeof job.id === 'string' ? String(job.id) : '';
  const content = keptContent({ ...job, board, employer }, LEFT_OUT);
  return {
    type: 'record',
    record: {
      key: id ? `${board ?? 'board'}/${id}`.slice(0, 400) : `job ${position}`,
      uri: firstWebAddress([job.absolute_url, document.uri], HOMEPAGE),
      content,
      fields: fieldNames(JSON.parse(content)),
    },
  };
}

/**
 * Returns `acme` for `https://job-boards.greenhouse.io/acme/jobs/1`. An employer's own page names
 * no board.
 */
function boardOf(address: unknown): string | undefined {
  if (!isWebAddress(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  return hostname.endsWith('greenhouse.io') ? /^\/([\w.-]+)\/jobs\//.exec(pathname)?.[1] : undefined;
}
