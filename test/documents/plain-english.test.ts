import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COLUMNS = 100;
/** Words that make a sentence hard to read for those who are not native speakers. */
const AVOIDED =
  /\b(?:anew|nobody|none of it|lest|whoever|takes nothing|at work|in turn|made good|of before|has a say)\b/i;
/** Folders that are installed, generated, copied or left by a run. */
const NOT_OURS = /^(?:node_modules|gen|grpc|dist|\..+)$/;
/** Generated from descriptions of settings, values and the interface. */
const GENERATED = /^(?:charts\/ces\/README\.md|deploy\/configuration\.md|gateway\/client\/src\/generated\/.+)$/;

interface Line {
  readonly at: string;
  readonly text: string;
}

const documents = linesOf('**/*.md').filter(({ text }) => !isTable(text));
const comments = linesOf('**/*.{ts,tsx,mjs,proto}').filter(({ text }) => /^\s*(?:\/\/|\/\*|\*\s)/.test(text));
const titles = linesOf('**/*.test.{ts,tsx}').filter(({ text }) => /^\s*(?:test|describe|\]\)\()/.test(text));

test('prose, comments and titles of tests are in plain English', () => {
  const found = [...documents, ...comments, ...titles].filter(({ text }) => AVOIDED.test(text.replace(/`[^`]*`/g, '')));
  expect(found.map(({ at, text }) => `${at}: ${text.trim()}`)).toEqual([]);
});

test('prose and comments wrap at 100 columns', () => {
  const long = [...documents, ...comments].filter(({ text }) => text.length > COLUMNS && !holdsOneLongWord(text));
  expect(long.map(({ at }) => at)).toEqual([]);
});

function linesOf(pattern: string): Line[] {
  const files = globSync(pattern, { cwd: ROOT, exclude: (name) => NOT_OURS.test(path.basename(name)) });
  return files
    .filter((file) => !GENERATED.test(file))
    .flatMap((file) => {
      let isCode = false;
      return readFileSync(path.join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((text, index): Line[] => {
          const isFence = file.endsWith('.md') && text.trimStart().startsWith('```');
          if (isFence) isCode = !isCode;
          return isFence || isCode ? [] : [{ at: `${file}:${index + 1}`, text }];
        });
    });
}

function isTable(text: string): boolean {
  return /^\s*\|/.test(text);
}

/** A link, an address, or a command in backticks cannot be broken. */
function holdsOneLongWord(text: string): boolean {
  return /\S{50,}|\]\(\S+\)|`[^`]{80,}`/.test(text);
}
