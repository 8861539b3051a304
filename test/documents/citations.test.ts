import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Longest README in lines and words, by path; the first matching pattern applies. */
const LENGTHS: readonly (readonly [RegExp, { readonly lines: number; readonly words: number }])[] = [
  [/^README\.md$/, { lines: 130, words: 900 }],
  [/^(services\/[^/]+|gateway)\/README\.md$/, { lines: 40, words: 900 }],
  // The architecture, two request paths and the glossary.
  [/^services\/README\.md$/, { lines: 130, words: 1_400 }],
  // Generated from the code: a row for each value of the chart.
  [/^charts\/ces\/README\.md$/, { lines: 600, words: 9_000 }],
  [/(^|\/)README\.md$/, { lines: 100, words: 900 }],
];
/** Folder of each name prefix in the contract's list of proofs. */
const PROOFS: Readonly<Record<string, string>> = {
  contract: 'test/contract',
  support: 'test/support',
  flow: 'test/flow',
  corpus: 'test/corpus',
  telemetry: 'test/telemetry',
  gateway: 'gateway/test',
  operations: 'services/operations/src',
};

interface TextFile {
  readonly name: string;
  readonly text: string;
}

const GUIDES = ['gateway/docs', 'gateway/docs/guides'];
const NOT_OURS = /^(node_modules|gen|dist|\..+)$/;
const files: readonly TextFile[] = globSync('**/*.{ts,mjs,sql,proto,md,yaml,yml,txt,sh}', {
  cwd: ROOT,
  exclude: (name) => NOT_OURS.test(path.basename(name)),
}).map((name) => ({ name, text: read(name) }));
const documents = files.filter(({ name }) => name.endsWith('.md'));

const promises = numbers('services/promises.md', /^(?:### |\| )([RSOC]\d+)\b/gm);
const decisions = new Set(readdirSync(path.join(ROOT, 'services/decisions')).map((name) => name.slice(0, 4)));

test('every document that is named is there', () => {
  expect(faultsOf(files, namedDocuments, isThere)).toEqual([]);
});

test('every relative link of a document leads to a file and a heading', () => {
  expect(faultsOf(documents, linksOf, leadsSomewhere)).toEqual([]);
});

test('every promise, check and decision that is cited by its number exists', () => {
  const cited = ({ text }: TextFile) => [
    ...numbersAfter(
      onOneLine(text),
      /\b(?:[Pp]romises?|[Cc]hecks?) ((?:[RSOC]\d+\b(?:, | and | to |\/)?)+)/g,
      /[RSOC]\d+/g,
    ),
    ...numbersAfter(onOneLine(text), /\b[Dd]ecisions? ((?:\d{4}\b(?:, | and | to )?)+)/g, /\d{4}/g),
  ];
  expect(faultsOf(files, cited, (_, number) => promises.has(number) || decisions.has(number))).toEqual([]);
});

test('every section that is cited of the contract of subscribers is one of its headings', () => {
  const headings = [...read('gateway/docs/contract.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading ?? '');
  const cited = ({ text }: TextFile) =>
    [...onOneLine(text).matchAll(/gateway\/docs\/contract\.md, ([A-Z][a-z]+(?: \w+)*)/g)].map(
      ([, section]) => section ?? '',
    );
  expect(faultsOf(files, cited, (_, section) => headings.some((heading) => section.startsWith(heading)))).toEqual([]);
});

test('every file that a promise, a decision or a README of a service names as its proof is there', () => {
  const book = documents.filter(({ name }) => /^services\/(promises\.md|README\.md|decisions\/)/.test(name));
  const named = ({ text }: TextFile) =>
    [...text.matchAll(/`((?:services|gateway|deploy|test|charts|proto)\/[\w./-]+)`/g)].map(([, file]) => file ?? '');
  expect(faultsOf(book, named, (_, file) => existsSync(path.join(ROOT, file)))).toEqual([]);
});

test('every proof of a sentence of the interface is there, and every test of the contract proves one', () => {
  const rows = read('test/contract/sentences.md')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const prefix = new RegExp(`(?<![\\w/])(?:${Object.keys(PROOFS).join('|')})/[\\w/-]+`, 'g');
  const named = new Set(rows.flatMap((row) => row.match(prefix) ?? []));
  const missing = [...named].filter((name) => {
    const [folder = '', ...rest] = name.split('/');
    const stem = path.join(ROOT, PROOFS[folder] ?? '', ...rest);
    return !existsSync(`${stem}.test.ts`) && !existsSync(`${stem}.ts`);
  });
  const unnamed = readdirSync(path.join(ROOT, 'test/contract'))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => !named.has(`contract/${file.replace('.test.ts', '')}`));
  expect({ missing, unnamed }).toEqual({ missing: [], unnamed: [] });
});

test('READMEs stay as short as they promise', () => {
  const tooLong = documents.flatMap(({ name, text }) => {
    const most = LENGTHS.find(([pattern]) => pattern.test(name))?.[1];
    const lines = text.trimEnd().split('\n').length;
    const words = text.split(/\s+/).length;
    return most && (lines > most.lines || words > most.words) ? [`${name}: ${lines} lines, ${words} words`] : [];
  });
  expect(tooLong).toEqual([]);
});

type Cited = (file: TextFile) => readonly string[];

function faultsOf(from: readonly TextFile[], cited: Cited, holds: (file: TextFile, what: string) => boolean): string[] {
  return from.flatMap((file) =>
    [...new Set(cited(file))].filter((what) => !holds(file, what)).map((what) => `${file.name}: ${what}`),
  );
}

function read(name: string): string {
  return readFileSync(path.join(ROOT, name), 'utf8');
}

function numbers(name: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...read(name).matchAll(pattern)].map(([, number]) => number ?? ''));
}

function numbersAfter(text: string, citation: RegExp, number: RegExp): readonly string[] {
  return [...text.matchAll(citation)].flatMap(([, list]) => list?.match(number) ?? []);
}

function onOneLine(text: string): string {
  return text.replace(/\n\s*(?:\*|\/\/|--|#)?\s*/g, ' ');
}

/** Documents that a text names, without those of other sites, computed names and link labels. */
function namedDocuments({ text }: TextFile): readonly string[] {
  const withoutLabels = text.replace(/\[[^\]]*\]\(/g, '(');
  return [...withoutLabels.matchAll(/(?<![\w./:}*-])[\w./-]*\w\.md\b/g)].map(([name]) => name);
}

function isThere({ name }: TextFile, document: string): boolean {
  const [, served] = /^\/docs\/([\w-]+\.md)$/.exec(document) ?? [];
  if (served !== undefined) return GUIDES.some((folder) => existsSync(path.join(ROOT, folder, served)));
  // The chart prefixes the names of runbooks with the address where operators publish them.
  const found = document.replace(/^RUNBOOKS\//, 'deploy/runbooks/');
  return [path.dirname(name), '.'].some((folder) => existsSync(path.join(ROOT, folder, found)));
}

/**
 * Relative links. A leading slash is an address of the service, which the tests of its pages check.
 */
function linksOf({ text }: TextFile): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target ?? '')
    .filter((target) => !/^(\w+:|\/)/.test(target));
}

function leadsSomewhere({ name, text }: TextFile, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const found = file === '' ? name : path.join(path.dirname(name), file);
  if (!existsSync(path.join(ROOT, found))) return false;
  return anchor === undefined || anchorsOf(file === '' ? text : read(found)).has(anchor);
}

function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading ?? '');
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
