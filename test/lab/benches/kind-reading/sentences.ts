import { readFileSync } from 'node:fs';
import { TRADE_FILES } from '@ces/search/vocabulary/load-vocabulary';

/**
 * A sentence with its kind. `frame` names its template, so that one split contains all sentences of
 * a frame.
 */
export interface Sentence {
  readonly text: string;
  readonly kind: string;
  readonly frame: string;
}

/** Most sentences have nothing after them. */
const AFTER = [
  ...Array.from({ length: 6 }, () => ''),
  'please',
  'with sources',
  'and tell me why',
  'for my sales team',
];
const DEPTH = 4;
/** Share of words dropped from every second sentence, so that no sentence depends on one word. */
const LEFT_OUT = 0.15;

/**
 * Writes `each` sentences of a kind and `noneShare` times as many without one. The seed determines
 * the result.
 */
export function writeSentences(each: number, noneShare: number, random: () => number): Sentence[] {
  const slots = sectionsOf('words.txt', (lines) => lines.flatMap(listOf));
  const known = knownWords();
  const around = sectionsOf('around.txt', (lines) => lines);
  const frames = sectionsOf('frames.txt', (lines) => lines.flatMap((line) => framesOf(line, around)));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const fill = (text: string, depth = 0): string =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'in') return random() < 0.5 ? '' : `in ${fill('{place}')}`;
      const own = known.get(name);
      const list = own && random() < 0.5 ? own : slots.get(name);
      if (!list) throw new Error(`frames.txt: nothing is known of {${name}}`);
      return depth > DEPTH ? '' : fill(pick(list), depth + 1);
    });
  return [...frames].flatMap(([kind, own]) => {
    const count = Math.round(kind === 'none' ? each * noneShare : each);
    return Array.from({ length: count }, (): Sentence => {
      const { sort, text } = pick(own);
      const ways = around.get(kind === 'none' && sort === 'np' ? 'none' : sort) ?? [];
      const whole = `${fill(pick(ways).replace('{x}', text))} ${pick(AFTER)}`;
      const words = whole.split(' ').filter(Boolean);
      const kept = random() < 0.5 ? words : words.filter(() => random() >= LEFT_OUT);
      return { text: (kept.length > 0 ? kept : words).join(' '), kind, frame: text };
    });
  });
}

const VOCABULARY = new URL('../../../../services/search/vocabulary/', import.meta.url);
/**
 * The slot of the words below a heading in the vocabulary files. Words below other headings are
 * trades.
 */
const SLOT_OF_HEADING: readonly (readonly [RegExp, string | undefined])[] = [
  [/^(occupations|positions)/, 'role'],
  [/(public buyers call|governments buy)/, 'goods'],
  [/^kinds of sites/, 'site'],
  [/^technologies/, 'technology'],
  [/^(seniority|funding|filings|items|leadership|sites|French)/, undefined],
];

function knownWords(): Map<string, string[]> {
  const known = new Map<string, string[]>([['known', []]]);
  for (const file of TRADE_FILES) {
    let slot: string | undefined;
    for (const line of readFileSync(new URL(file, VOCABULARY), 'utf8').split('\n')) {
      const heading = /^# --- (.+)$/.exec(line)?.[1];
      if (heading !== undefined) {
        const rule = SLOT_OF_HEADING.find(([pattern]) => pattern.test(heading));
        slot = rule ? rule[1] : 'known';
      } else if (slot !== undefined && line !== '' && !line.startsWith('#'))
        known.set(slot, [
          ...(known.get(slot) ?? []),
          ...listOf((line.split(' > ', 1)[0] ?? '').replaceAll(' = ', ',')),
        ]);
    }
  }
  return known;
}

interface Frame {
  readonly sort: string;
  readonly text: string;
}

function framesOf(line: string, around: ReadonlyMap<string, unknown>): Frame[] {
  const [sort = '', list] = line.split(': ', 2);
  if (list === undefined || !around.has(sort)) throw new Error(`frames.txt: cannot read "${line.slice(0, 60)}"`);
  return listOf(list).map((text) => ({ sort, text }));
}

function listOf(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

function sectionsOf<T>(file: string, read: (lines: readonly string[]) => readonly T[]): Map<string, readonly T[]> {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.trim());
  const sections = new Map<string, string[]>();
  let own: string[] = [];
  for (const line of lines.filter((one) => one !== '' && !one.startsWith('#'))) {
    const heading = /^\[(\w+)\]$/.exec(line)?.[1];
    if (heading === undefined) own.push(line);
    else {
      own = [];
      sections.set(heading, own);
    }
  }
  return new Map([...sections].map(([heading, below]) => [heading, read(below)]));
}
