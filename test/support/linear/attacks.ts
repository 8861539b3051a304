import { type AST, RegExpParser } from '@eslint-community/regexpp';

export interface Attack {
  readonly head: string;
  readonly pump: string;
  readonly tail: string;
}

/** Enough to try each letter of a class and each branch of most alternatives. */
const PATHS = 6;
const WIDEST_PUMP = 4;
/** What ends a long match: nothing, a character that few expressions accept, a line. */
const TAILS = ['', '\u0000', '\n!'];
const LETTERS = [...'aAz0 9-._:/"\'<(@#,\n\t', 'é', 'É', '\u00a0', '\u0000'];
/** Limits how often a pump repeats a part that has a minimum count. */
const MOST_REPEATED = 100;

/** Texts that make a backtracking engine retry much: each run of adjacent parts, repeated. */
export function attacksOf(source: string, flags: string): Attack[] {
  const { pattern } = new RegExpParser({ ecmaVersion: 2025 }).parseLiteral(`/${source}/${flags}`);
  const attacks = new Map<string, Attack>();
  for (let path = 0; path < PATHS; path += 1) {
    const parts = mergeLetters(pattern.alternatives.flatMap((one) => partsOf(one.elements, path, flags)));
    for (let from = 0; from < parts.length; from += 1)
      for (let to = from + 1; to <= Math.min(parts.length, from + WIDEST_PUMP); to += 1)
        for (const head of new Set(['', joined(parts.slice(0, from))]))
          for (const tail of TAILS) {
            const attack = { head, pump: joined(parts.slice(from, to)), tail };
            if (attack.pump !== '') attacks.set(JSON.stringify(attack), attack);
          }
  }
  return [...attacks.values()];
}

export function attackText({ head, pump, tail }: Attack, repeats: number): string {
  return head + pump.repeat(repeats) + tail;
}

interface Part {
  readonly text: string;
  readonly isLetter: boolean;
}

const joined = (parts: readonly Part[]) => parts.map(({ text }) => text).join('');

/** Adjacent letters form one part, so that no letter of a word repeats by itself. */
function mergeLetters(parts: readonly Part[]): Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.isLetter && last?.isLetter) merged[merged.length - 1] = { text: last.text + part.text, isLetter: true };
    else merged.push(part);
  }
  return merged;
}

function partsOf(elements: readonly AST.Element[], path: number, flags: string): Part[] {
  return elements.flatMap((element) => partsOfElement(element, path, flags));
}

function partsOfElement(element: AST.Element, path: number, flags: string): Part[] {
  switch (element.type) {
    case 'Character':
      return [{ text: String.fromCodePoint(element.value), isLetter: true }];
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return [{ text: letterOf(element, path, flags), isLetter: false }];
    case 'Group':
    case 'CapturingGroup':
      return ofOneAlternative(element.alternatives, path, flags);
    case 'Quantifier': {
      const once = partsOfElement(element.element, path, flags);
      return Array.from({ length: Math.min(Math.max(1, element.min), MOST_REPEATED) }, () => once).flat();
    }
    case 'Assertion':
      return element.kind === 'lookahead' || element.kind === 'lookbehind'
        ? ofOneAlternative(element.alternatives, path, flags)
        : [];
    case 'Backreference':
      return [];
  }
}

function ofOneAlternative(alternatives: readonly AST.Alternative[], path: number, flags: string): Part[] {
  return partsOf(alternatives[path % alternatives.length]?.elements ?? [], path, flags);
}

function letterOf({ raw }: { raw: string }, path: number, flags: string): string {
  const matches = new RegExp(`^${raw}$`, flags.replace(/[gy]/g, ''));
  const letters = [...LETTERS, ...raw].filter((letter) => matches.test(letter));
  return letters[path % letters.length] ?? '';
}
