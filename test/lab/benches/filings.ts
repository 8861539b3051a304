import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type ReadItem, readJudged, readJudgedFilings } from '@ces/acquisition/test-support/judged-filings';
import { shareWithInterval } from '../../support/wilson.ts';

interface Counts {
  right: number;
  wrong: number;
  missed: number;
  /** Judged none, and none was found. */
  passed: number;
}

const SENTENCE_CHARACTERS = 300;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, set: { type: 'string' }, half: { type: 'string' } },
});
const [folder, file] = positionals;
if (folder === undefined || file === undefined) {
  console.error(
    'Name the folder of full submissions and the file of judged items: ' +
      'npm run lab -- filings FOLDER JUDGED.csv [--set 1|2|3] [--half mended|other]',
  );
  process.exit(2);
}
const judged = (await readJudged(file)).filter(
  ({ set, accession }) =>
    (values.set === undefined || set === values.set) &&
    (values.half === undefined || halfOf(accession) === values.half),
);
const read = await readJudgedFilings(folder, judged);
const counts = new Map<string, Counts>();
for (const one of read) count(one);
const figures = Object.fromEntries([...counts].sort().map(([name, each]) => [name, figuresOf(each)]));
const withoutText = read.filter(({ hasText }) => !hasText);
for (const { accession, item } of withoutText) console.log(`no text: ${accession} ${item}`);
const filings = new Set(read.map(({ accession }) => accession)).size;
console.log(`${read.length} items of ${filings} reports; ${judged.length - read.length} judged items have no file`);
console.log(`${withoutText.length} items without their text`);
console.table(figures);
if (values.json !== undefined)
  await writeFile(
    values.json,
    JSON.stringify({ items: read.length, filings, withoutText: withoutText.length, figures }),
  );

/** Rules are mended on one half of the reports; no disagreement of the other is read before it is measured. */
function halfOf(accession: string): string {
  const digest = createHash('sha1').update(`1 ${accession}`).digest();
  return (digest.at(-1) ?? 0) % 2 === 0 ? 'mended' : 'other';
}

/** By item, and by what was said or ought to be. */
function count({ accession, item, expected, also, said, sentence }: ReadItem): void {
  const isRight = said === expected || said === also;
  if (isRight && said !== 'none') countsOf(item, said).right += 1;
  if (!isRight && said !== 'none') countsOf(item, said).wrong += 1;
  if (!isRight && expected !== 'none') countsOf(item, expected).missed += 1;
  if (isRight && said === 'none') countsOf(item, 'none').passed += 1;
  if (!isRight)
    console.log(`${accession} ${item}: ${said}, judged ${expected}: ${sentence.slice(0, SENTENCE_CHARACTERS)}`);
}

function countsOf(item: string, kind: string): Counts {
  const name = `${item} ${kind}`;
  const each = counts.get(name) ?? { right: 0, wrong: 0, missed: 0, passed: 0 };
  counts.set(name, each);
  return each;
}

function figuresOf({ right, wrong, missed, passed }: Counts) {
  const precision = shareWithInterval(right, right + wrong);
  return { right, wrong, missed, passed, precision, recall: shareWithInterval(right, right + missed) };
}
