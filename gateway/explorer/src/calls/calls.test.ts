import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Call } from './call.ts';
import { asCurl } from './curl.ts';
import { asMcp } from './mcp.ts';
import { asTypeScript } from './typescript.ts';

const BASE = 'http://127.0.0.1:8080';
const SEARCH: Call = {
  action: 'search',
  input: { query: `"cold storage" $(id) it's \`new\``, filters: { countries: ['CA'] }, limit: 5 },
  requestKey: 'key-1',
};
const LOOK_UP: Call = { action: 'look-up', input: { domains: ['a.ca', 'b.com'] }, requestKey: 'key-2' };

function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\napi_key=KEY\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('a shell reads the curl line as it was meant, whatever the query holds', () => {
  const [, address, , authorization, , key, , , , body = ''] = argumentsOf(asCurl(SEARCH, BASE));
  expect([address, authorization, key]).toEqual([
    `${BASE}/api/companies/search`,
    'Authorization: Bearer KEY',
    'Idempotency-Key: key-1',
  ]);
  expect(JSON.parse(body)).toEqual(SEARCH.input);
});

test('a look-up names each input in its address, which curl takes literally', () => {
  expect(argumentsOf(asCurl(LOOK_UP, BASE)).slice(0, 3)).toEqual([
    '-sS',
    '-g',
    `${BASE}/api/companies?domains[]=a.ca&domains[]=b.com`,
  ]);
});

test('TypeScript repeats input, key and what lies between', () => {
  expect(asTypeScript(LOOK_UP, BASE)).toBe(`import { CesClient } from '@ces/client';

const ces = new CesClient({ baseUrl: "http://127.0.0.1:8080", apiKey: process.env.api_key ?? '' });
const lookUp = ces.lookUpCompanies({
  domains: [
    "a.ca",
    "b.com"
  ]
}, {
  requestKey: "key-2"
});
const { companies } = await lookUp.done();
console.log(companies, lookUp.units);
`);
});

test('a tool takes the same body and the key as request_key', () => {
  const { params } = JSON.parse(asMcp({ ...SEARCH, background: true }) ?? '');
  expect(params).toEqual({
    name: 'search_companies',
    arguments: { ...SEARCH.input, background: true, request_key: 'key-1' },
  });
  expect(asMcp({ action: 'usage' })).toBeUndefined();
});

test('reads without input are calls without arguments', () => {
  expect(asTypeScript({ action: 'operations', filter: {} }, BASE)).toContain('await ces.listUsages();');
  expect(asCurl({ action: 'operations', filter: { status: 'failed' } }, BASE)).toContain('/api/usages?status=failed');
});
