export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/**
 * Equals `text.normalize(form)`, in linear time. Engines reorder a run of combining marks in
 * quadratic time (promise S14), so this sorts long runs first.
 */
export function normalText(text: string, form: NormalForm): string {
  if (!LONG_RUN.test(text)) return text.normalize(form);
  const decomposed = form === 'NFC' || form === 'NFD' ? 'NFD' : 'NFKD';
  return text
    .replace(LONG_RUNS, (run) => inOrder([...run].map((mark) => mark.normalize(decomposed)).join('')))
    .normalize(form);
}

/**
 * Combining marks, and the half-width katakana sound marks that NFKC turns into some. Shorter runs
 * are cheap.
 */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{64}/u;
const LONG_RUNS = /[\p{M}\uff9e\uff9f]{64,}/gu;

/** Has the highest canonical combining class. */
const LAST = '\u0345';

/** Sorts decomposed marks stably by combining class; marks of class 0 separate the groups. */
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

function goesBefore(mark: string, other: string): boolean {
  return mark !== other && `${other}${mark}`.normalize('NFD') !== `${other}${mark}`;
}
