import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const CHART = path.join(REPOSITORY, 'charts/ces');
const DOCUMENTED = documentedPaths(read('values.yaml'));

interface Suite {
  readonly set?: object;
  readonly tests: readonly { readonly set?: object }[];
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

test('every value of the chart is set by a test of its renders', () => {
  const set = new Set(
    globSync(path.join(CHART, 'tests/*_test.yaml')).flatMap((file) => {
      const suite = parse(readFileSync(file, 'utf8')) as Suite;
      return [suite, ...suite.tests].flatMap((one) => pathsOf(one.set ?? {}, ''));
    }),
  );
  const normal = new Set([...set].map((one) => one.slice(1).replace(/^components\.[a-z]+\./, 'defaults.')));
  expect(DOCUMENTED.filter((value) => !normal.has(value))).toEqual([]);
});

test('the page of the chart and the schema have every value and no other', () => {
  const rows = [...read('README.md').matchAll(/^\| `([^`]+)` \|/gm)].map(([, value]) => value);
  expect(rows).toEqual(DOCUMENTED);
  const schema = JSON.parse(read('values.schema.json')) as Schema;
  expect(DOCUMENTED.filter((value) => !isInSchema(schema, value.split('.')))).toEqual([]);
});

function read(file: string): string {
  return readFileSync(path.join(CHART, file), 'utf8');
}

/** Paths of the keys below a comment of helm-docs (`# --`). */
function documentedPaths(values: string): string[] {
  const keys: string[] = [];
  const found: string[] = [];
  let isDocumented = false;
  for (const line of values.split('\n')) {
    if (/^ *# -- /.test(line)) isDocumented = true;
    const [, indent, key] = /^( *)([\w.-]+):/.exec(line) ?? [];
    if (indent === undefined || key === undefined) continue;
    keys.splice(indent.length / 2, keys.length, key);
    if (isDocumented) found.push(keys.join('.'));
    isDocumented = false;
  }
  return found;
}

/**
 * Paths that a test sets, at every depth. A value that it sets for one program covers all programs.
 */
function pathsOf(value: unknown, prefix: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [prefix];
  return [prefix, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, `${prefix}.${key}`))];
}

function isInSchema(schema: Schema, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  const inner = schema.properties?.[key];
  return inner !== undefined && isInSchema(inner, rest);
}
