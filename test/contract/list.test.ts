import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDERS: Readonly<Record<string, string>> = {
  contract: 'test/contract',
  flow: 'test/flow',
  corpus: 'test/corpus',
  telemetry: 'test/telemetry',
  gateway: 'gateway/test',
  operations: 'services/operations/src',
};

const list = readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8');
const rows = list.split('\n').filter((line) => line.startsWith('| '));
const named = new Set(
  rows.flatMap((row) => row.match(new RegExp(`\\b(?:${Object.keys(FOLDERS).join('|')})/[\\w/-]+`, 'g')) ?? []),
);

test.each([...named])('%s is there', (name) => {
  const [folder = '', ...rest] = name.split('/');
  const stem = path.join(ROOT, FOLDERS[folder] ?? '', ...rest);
  expect(existsSync(`${stem}.test.ts`) || existsSync(`${stem}.ts`)).toBe(true);
});

test('every contract file proves a sentence of the list', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts') && file !== 'list.test.ts');
  expect(files.filter((file) => !named.has(`contract/${file.replace('.test.ts', '')}`))).toEqual([]);
});
