import { readFile } from 'node:fs/promises';
import { readRelease } from '@ces/acquisition/sources/newsrooms/release';
import { releaseText } from '@ces/acquisition/sources/newsrooms/release-text';
import { shareWithInterval } from '../../support/wilson.ts';

/** One judged release, a JSON object a line. */
interface Judged {
  readonly title: string;
  readonly text: string;
  /** As a reader judged it; `none`: no event that is recorded. */
  readonly kind: string;
  /** Another kind that is right as well. */
  readonly also?: string;
  /** Whose newsroom it is; absent: not known. */
  readonly company?: string;
}

interface Counts {
  right: number;
  wrong: number;
  missed: number;
}

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('Name the file of judged releases: npm run lab -- headlines FILE');
  process.exit(2);
}
const judged = (await readFile(file, 'utf8'))
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line): Judged => JSON.parse(line));
const counts = new Map<string, Counts>();
for (const one of judged) count(one);
console.log(`${judged.length} releases`);
console.table(Object.fromEntries([...counts].sort().map(([kind, each]) => [kind, figuresOf(each)])));

function count({ title, text, kind, also, company }: Judged): void {
  const release = readRelease(title, releaseText(text), company);
  const said = release.type === 'event' ? release.kind : 'none';
  const isRight = said === kind || said === also;
  if (said !== 'none') countsOf(said)[isRight ? 'right' : 'wrong'] += 1;
  if (said !== 'none' && !isRight) console.log(`${said}, judged ${kind}: ${title}`);
  if (kind !== 'none' && !isRight) countsOf(kind).missed += 1;
}

function countsOf(kind: string): Counts {
  const each = counts.get(kind) ?? { right: 0, wrong: 0, missed: 0 };
  counts.set(kind, each);
  return each;
}

function figuresOf({ right, wrong, missed }: Counts) {
  return {
    right,
    wrong,
    missed,
    precision: shareWithInterval(right, right + wrong),
    recall: shareWithInterval(right, right + missed),
  };
}
