/** A form of Unicode normalisation. */
export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/**
 * What `text.normalize(form)` gives, in time that grows with the text: an engine moves every mark of a run past all that belong behind
 * it, so that marks in turns cost with the square of their number (promise S14). Long runs are put into their order beforehand.
 */
export function normalText(text: string, form: NormalForm): string {
  if (!LONG_RUN.test(text)) return text.normalize(form);
  const decomposed = form === 'NFC' || form === 'NFD' ? 'NFD' : 'NFKD';
  return text
    .replace(LONG_RUNS, (run) => inOrder([...run].map((mark) => mark.normalize(decomposed)).join('')))
    .normalize(form);
}

/** Whatever is or becomes a mark that moves: marks, and the narrow sound marks of katakana. So few in a row cost nothing. */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{64}/u;
const LONG_RUNS = /[\p{M}\uff9e\uff9f]{64,}/gu;

/** The mark that goes behind all others. */
const LAST = '\u0345';

/** A run of decomposed marks in canonical order: by class, and those of a class as they stood; what has none stays between them. */
function inOrder(run: string): string {
  const marks = [...run];
  const ranks = ranksOf(new Set(marks));
  const ordered: string[] = [];
  let moving = new Map<number, string[]>();
  const settle = () => {
    for (const rank of [...moving.keys()].sort((a, b) => a - b))
      for (const mark of moving.get(rank) ?? []) ordered.push(mark);
    moving = new Map();
  };
  for (const mark of marks) {
    const rank = ranks.get(mark);
    if (rank === undefined) {
      settle();
      ordered.push(mark);
    } else {
      const alike = moving.get(rank) ?? [];
      moving.set(rank, alike);
      alike.push(mark);
    }
  }
  settle();
  return ordered.join('');
}

/** Numbers in the order of the marks' classes, equal for those of one class; marks that do not move have none. */
function ranksOf(marks: ReadonlySet<string>): ReadonlyMap<string, number> {
  const sorted = [...marks].filter((mark) => mark === LAST || goesBefore(mark, LAST)).sort(compare);
  const ranks = new Map<string, number>();
  let previous: string | undefined;
  let rank = 0;
  for (const mark of sorted) {
    if (previous !== undefined && compare(previous, mark) !== 0) rank += 1;
    ranks.set(mark, rank);
    previous = mark;
  }
  return ranks;
}

function compare(one: string, other: string): number {
  if (goesBefore(one, other)) return -1;
  return goesBefore(other, one) ? 1 : 0;
}

/** Whether normalisation moves a mark to the front of another. */
function goesBefore(mark: string, other: string): boolean {
  return mark !== other && `${other}${mark}`.normalize('NFD') !== `${other}${mark}`;
}
