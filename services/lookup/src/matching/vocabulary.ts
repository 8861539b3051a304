import { readFileSync } from 'node:fs';

export interface ResolutionVocabulary {
  /** Form of a spelling; undefined if it does not decide the form. */
  readonly legalForms: ReadonlyMap<string, string | undefined>;
  readonly spellings: ReadonlyMap<string, string>;
  readonly commonWords: ReadonlySet<string>;
  readonly commonBeginnings: readonly string[];
  readonly commonEnds: readonly string[];
  readonly commonNames: ReadonlySet<string>;
  readonly publicBodies: ReadonlySet<string>;
  readonly unitWords: ReadonlySet<string>;
  readonly sharedHosts: ReadonlySet<string>;
}

export function loadResolutionVocabulary(
  directory = new URL('../../vocabulary/', import.meta.url),
): ResolutionVocabulary {
  const lines = (file: string) => meaningfulLines(readFileSync(new URL(file, directory), 'utf8'));
  const common = lines('common-names.txt');
  const marked = (mark: RegExp) => common.filter((line) => mark.test(line)).map((line) => line.replace(mark, ''));
  return {
    legalForms: parseLegalForms(lines('legal-forms.txt')),
    spellings: new Map(lines('spellings.txt').map((line) => pairOf('spellings.txt', line))),
    commonWords: new Set(common.filter((line) => /^[a-z ]+$/.test(line)).flatMap((line) => line.split(' '))),
    commonBeginnings: marked(/^\^/),
    commonEnds: marked(/\$$/),
    commonNames: new Set(marked(/^=/)),
    publicBodies: new Set(lines('public-bodies.txt')),
    unitWords: new Set(lines('unit-words.txt').flatMap((line) => line.split(' '))),
    sharedHosts: new Set(lines('shared-hosts.txt')),
  };
}

function meaningfulLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function parseLegalForms(lines: readonly string[]): Map<string, string | undefined> {
  const forms = new Map<string, string | undefined>();
  for (const line of lines) {
    const silent = line.startsWith('~');
    const [form, spellings] = silent ? [undefined, line.slice(1)] : pairOf('legal-forms.txt', line);
    for (const spelling of spellings.split(',')) forms.set(spelling.trim(), form);
  }
  return forms;
}

function pairOf(file: string, line: string): [string, string] {
  const [, left, right] = /^([^=]+?) = (.+)$/.exec(line) ?? [];
  if (left === undefined || right === undefined) throw new Error(`${file}: cannot read "${line}"`);
  return [left, right];
}
