import type { Document, FetchRequest, Parsed, RunContext, Source } from '../../../connector/source.ts';
import { isObject, scalarText } from '../../../extract/formats/json.ts';
import { readJsonItems } from '../../../extract/formats/json-stream.ts';
import { keptRecord } from '../../../extract/passages/kept-content.ts';
import { firstWebAddress, isWebAddress } from '../../../extract/values/web-address.ts';
import { boardsSetting, readEmployers } from './employers.ts';

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

export async function* parseBoard(board: JobBoard, document: Document, path?: string): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const item of readJsonItems(document, path)) {
    position += 1;
    yield toRecord(board, item, document, position);
  }
}

/** Adds to the record what the operator says about the employer. */
function toRecord(
  { setting, member, homepage, address, boardOf, leftOut }: JobBoard,
  item: unknown,
  document: Document,
  position: number,
): Parsed {
  const posting = isObject(item) ? item : {};
  const page = posting[address];
  const board = (isWebAddress(page) ? boardOf(new URL(page)) : undefined) ?? document.about[member];
  const employer = readEmployers(document.settings.get(setting)).find((one) => one.board === board);
  const id = scalarText(posting.id).trim();
  const key = id ? `${board ?? member}/${id}` : `posting ${position}`;
  const uri = firstWebAddress([page, document.uri], homepage);
  return keptRecord({ key, uri }, { ...posting, [member]: board, employer }, leftOut);
}

export function boardTerms(homepage: string, board: string, setting: string) {
  return {
    homepage,
    licence: {
      name: 'Published by the employer for everybody to read; no licence stated',
      uri: homepage,
      attribution: board,
    },
    kinds: ['job_posting', 'technology_use'],
    verified: true,
    mode: 'scheduled',
    schedule: { everyMinutes: 1_440, jitterMinutes: 240 },
    settings: [boardsSetting(setting)],
  } as const satisfies Partial<Source>;
}
