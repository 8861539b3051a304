import type { Document, FetchRequest, Parsed, RunContext } from '../../../connector/source.ts';
import { isObject, scalarText } from '../../../extract/formats/json.ts';
import { readJsonItems } from '../../../extract/formats/json-stream.ts';
import { keptRecord } from '../../../extract/passages/kept-content.ts';
import { firstWebAddress, isWebAddress } from '../../../extract/values/web-address.ts';
import { readEmployers } from './employers.ts';

export interface JobBoard {
  readonly setting: string;
  readonly member: 'board' | 'site';
  readonly homepage: string;
  readonly request: (board: string) => string;
  readonly address: string;
  readonly boardOf: (address: URL) => string | undefined;
  readonly leftOut: readonly string[];
}

export function requestBoards({ setting, member, request }: JobBoard, { settings }: RunContext): FetchRequest[] {
  return readEmployers(settings.get(setting)).map(({ board }) => ({
    url: request(encodeURIComponent(board)),
    about: { [member]: board },
  }));
}

/** Adds to each record what the operator says about the employer. */
export async function* parseBoard(
  { setting, member, homepage, address, boardOf, leftOut }: JobBoard,
  document: Document,
  path?: string,
): AsyncGenerator<Parsed> {
  const employers = readEmployers(document.settings.get(setting));
  let position = 0;
  for await (const item of readJsonItems(document, path)) {
    position += 1;
    const posting = isObject(item) ? item : {};
    const page = posting[address];
    const board = (isWebAddress(page) ? boardOf(new URL(page)) : undefined) ?? document.about[member];
    const employer = employers.find((one) => one.board === board);
    const id = scalarText(posting.id).trim();
    const key = id ? `${board ?? member}/${id}` : `posting ${position}`;
    const uri = firstWebAddress([page, document.uri], homepage);
    yield keptRecord({ key, uri }, { ...posting, [member]: board, employer }, leftOut);
  }
}
