import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { listLeaves } from './leaves.ts';

const SUITES = path.join(REPOSITORY, 'charts/ces/tests/*_test.yaml');

interface Suite {
  readonly set?: object;
  readonly tests: readonly { readonly set?: object }[];
}

/**
 * Paths that a test sets, at every depth. A value that it sets for one program covers all programs.
 */
function pathsOf(value: unknown, prefix: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [prefix];
  return [prefix, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, `${prefix}.${key}`))];
}

test('every value of the chart is set by a test of its renders', () => {
  const set = new Set(
    globSync(SUITES).flatMap((file) => {
      const suite = parse(readFileSync(file, 'utf8')) as Suite;
      return [suite, ...suite.tests].flatMap((one) => pathsOf(one.set ?? {}, ''));
    }),
  );
  const normal = new Set([...set].map((one) => one.slice(1).replace(/^components\.[a-z]+\./, 'defaults.')));
  const untested = listLeaves().filter(([leaf]) => !normal.has(leaf));
  expect(untested.map(([leaf]) => leaf)).toEqual([]);
});
