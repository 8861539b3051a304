import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { faultOf } from '../../support/linear/judge.ts';
import { patternsOf, patternsOfSources, sourcesOf } from '../../support/linear/patterns.ts';

// S14: every regular expression that meets input takes linear time.
const ROOT = new URL('../../..', import.meta.url).pathname;

/** Composed expressions: their parts, and why no input makes them slow. */
const COMPOSED: Readonly<Record<string, string>> = {
  "gateway/src/http/route-table.ts: new RegExp(`^${escaped.replace(/:[^/]+/g, '[^/]+').replace('*', '.*')}$`)":
    'of the routes, anchored, segments that cannot overlap',
  'services/acquisition/src/sources/families/jobs/tools.ts: new RegExp(`\\\\b${name}\\\\b`)':
    'a word of this repository between two boundaries, without a quantifier',
  "services/chassis/src/postgres/migration-files.ts: new RegExp(`\\\\b(to|from) ${written}(?=\\\\s*[;'])`, 'g')":
    'over migrations of this repository, with the name of a role in it',
  "services/search/src/text/words.ts: new RegExp(MISREAD, 'g')": 'a literal of the same file, which is judged',
};

test('no expression of the sources takes longer than in proportion to what it reads', {
  timeout: 600_000,
  tags: 'nightly',
}, () => {
  const { written } = patternsOfSources(ROOT);
  const judged = new Map<string, ReturnType<typeof faultOf>>();
  const faults = written.flatMap((pattern) => {
    const { file, line, source, flags } = pattern;
    const key = `/${source}/${flags}`;
    if (!judged.has(key)) judged.set(key, faultOf(pattern));
    const fault = judged.get(key);
    return fault ? [`${file}:${line} ${key}\n  attack: ${fault.attack}\n  ${fault.reason}`] : [];
  });
  expect(judged.size).toBeGreaterThan(200);
  expect(faults, faults.join('\n')).toEqual([]);
});

test('every expression that is put together has a reason here, and every reason an expression', () => {
  const { composed } = patternsOfSources(ROOT);
  expect(composed.map(({ file, text }) => `${file}: ${text}`).sort()).toEqual(Object.keys(COMPOSED).sort());
});

/**
 * Quadratic operations of the engine, and the only file that calls each, next to the bound on the
 * length.
 */
const QUADRATIC: Readonly<Record<string, { readonly call: RegExp; readonly place: string }>> = {
  'marks are put into order': { call: /\.normalize\(/, place: 'proto/src/normal-text.ts' },
  'labels are written as A-labels': { call: /domainTo(?:ASCII|Unicode)\(/, place: 'proto/src/hostname.ts' },
};

test.each(Object.entries(QUADRATIC))('%s in one place', (_what, { call, place }) => {
  expect(sourcesOf(ROOT).filter((file) => call.test(readFileSync(`${ROOT}/${file}`, 'utf8')))).toEqual([place]);
});

describe('the patterns that the check finds', { tags: 'nightly' }, () => {
  test.each([
    ['an end without a beginning', /0+$/],
    ['an end that may be empty', /0*$/],
    ['two runs of the same', /^\s*,?\s*$/],
    ['two runs of the same behind a word', /Filed:\s*(?:<\/b>)?\s*\d/],
    ['a run in a run', /^(?:a+)+$/],
    ['two beginnings of the same', /^(?:a|a)*$/],
    ['a beginning that every other one reaches', /<!--.*-->/s],
    ['a look ahead to the end', /a(?=.*b)/],
    ['a reference back', /(\w+) is \1/],
    ['matches that all look to the end', /"(?:[^"\\]|\\.)*"|[^"]/g],
    ['an end after a look behind', /(?<=[\p{L}\s])\s+$/u],
    ['lazy runs', /^(.+?) = (.+?)(?: ! (.+))?$/],
  ])('%s', (_name, { source, flags }) => {
    expect(faultOf({ source, flags })?.attack).toBeTruthy();
  });

  test('where they are, in schemas too, and composed ones', () => {
    const text = "const a = 1;\nexport const END = /0+$/u;\nconst S = Type.String({ pattern: '^0+$' });\nRegExp(a);\n";
    expect(patternsOf('some.ts', text)).toEqual({
      written: [
        { file: 'some.ts', line: 2, source: '0+$', flags: 'u' },
        { file: 'some.ts', line: 3, source: '^0+$', flags: 'u' },
      ],
      composed: [{ file: 'some.ts', line: 4, text: 'RegExp(a)' }],
    });
  });
});
