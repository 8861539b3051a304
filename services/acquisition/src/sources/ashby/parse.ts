import type { Document, FetchRequest, Parsed, RunContext } from '../../connector/source.ts';
import { readJsonItems } from '../../extract/formats/json-stream.ts';
import { fieldNames } from '../../extract/formats/members.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { firstWebAddress, isWebAddress } from '../../extract/values/web-address.ts';
import { readEmployers } from '../families/jobs/employers.ts';

export const HOMEPAGE = 'https://developers.ashbyhq.com/docs/public-job-posting-api';

/** A duplicate of the text, the address of the form, and pay, which is no evidence of a need. */
const LEFT_OUT = ['descriptionHtml', 'applyUrl', 'compensation', 'shouldDisplayCompensationOnJobPostings'];

export function requestBoards({ settings }: RunContext): FetchRequest[] {
  return readEmployers(settings.get('boards')).map(({ board }) => ({
    url: `https://api.ashbyhq.com/posting-api/job-board/${encodeURIComponent(board)}`,
    about: { board },
  }));
}

export async function* parseBoard(document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const item of readJsonItems(document, 'jobs')) {
    position += 1;
    yield toRecord(item, document, position);
  }
}

function toRecord(item: unknown, document: Document, position: number): Parsed {
  const job: Readonly<Record<string, unknown>> = typeof item === 'object' && item !== null ? { ...item } : {};
  const board = boardOf(job.jobUrl) ?? document.about.board;
  const employer = readEmployers(document.settings.get('boards')).find((one) => one.board === board);
  const id = typeof job.id === 'string' ? job.id.trim() : '';
  const content = keptContent({ ...job, board, employer }, LEFT_OUT);
  return {
    type: 'record',
    record: {
      key: id ? `${board ?? 'board'}/${id}`.slice(0, 400) : `job ${position}`,
      uri: firstWebAddress([job.jobUrl, document.uri], HOMEPAGE),
      content,
      fields: fieldNames(JSON.parse(content)),
    },
  };
}

function boardOf(address: unknown): string | undefined {
  if (!isWebAddress(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  return hostname === 'jobs.ashbyhq.com' ? /^\/([\w.-]+)\//.exec(pathname)?.[1] : undefined;
}
