import { existsSync } from 'node:fs';
import { readFile as readText } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { type Section, sectionsOf } from '../src/sources/sec-8k/sections.ts';
import { sec8k } from '../src/sources/sec-8k/source.ts';
import { readFile } from './read-file.ts';
import { summarise } from './read-source.ts';

/** One item of a report as a reader judged it before it was read by rule. */
export interface JudgedItem {
  /** `1`, `2` or `3`: when it was judged. */
  readonly set: string;
  readonly accession: string;
  readonly item: string;
  /** `leadership`, `partnership`, `funding`, `facility`, `launch` or `none`. */
  readonly expected: string;
  /** Another answer that is right as well; empty: there is none. */
  readonly also: string;
  readonly why: string;
}

export interface ReadItem extends JudgedItem {
  /** As `expected`. */
  readonly said: string;
  /** The recorded fact, or how the item begins where nothing was found. */
  readonly sentence: string;
  /** The item is in the report and was found in it, not its heading alone. */
  readonly hasText: boolean;
}

const SHORT: Readonly<Record<string, string>> = {
  leadership_change: 'leadership',
  funding_round: 'funding',
  facility_expansion: 'facility',
  product_launch: 'launch',
};
const HEADING_CHARACTERS = 20;

/** The judged items of a CSV with the columns set, accession, item, expected, also and why. */
export async function readJudged(file: string): Promise<JudgedItem[]> {
  return parse(await readText(file), { columns: true, skip_empty_lines: true });
}

/** Reads the judged items in the full submissions `ACCESSION.txt` of a folder; those whose file is absent are left out. */
export async function readJudgedFilings(folder: string, judged: readonly JudgedItem[]): Promise<ReadItem[]> {
  const byFiling = Map.groupBy(judged, ({ accession }) => accession);
  const read: ReadItem[] = [];
  for (const [accession, items] of byFiling) {
    const file = `${folder}/${accession}.txt`;
    if (existsSync(file)) read.push(...(await readItems(file, items)));
  }
  return read;
}

async function readItems(file: string, items: readonly JudgedItem[]): Promise<ReadItem[]> {
  const { raws, observations } = summarise(await readFile(sec8k, file));
  const sections = raws.flatMap(({ content }) => sectionsOf(sec8k.extract(content)));
  return items.map((judged) => {
    const found = observations.find(({ key }) => key.endsWith(`#${judged.item}`));
    const section = sections.find(({ item }) => item === judged.item);
    const said = found ? (SHORT[found.kind] ?? found.kind) : 'none';
    return { ...judged, said, sentence: found?.observedFact ?? bodyOf(section), hasText: bodyOf(section) !== '' };
  });
}

/** What an item says after its heading. */
function bodyOf(section: Section | undefined): string {
  const body = section?.text.replace(/^\W{0,6}items?\s{0,3}\d{1,2}\.\d{2}/i, '').trim() ?? '';
  return body.length > HEADING_CHARACTERS ? body : '';
}
