import { readSettings } from '@ces/chassis/service/settings';
import { expect, test } from 'vitest';
import { engineSettings } from './engine-settings.ts';

const read = (env: NodeJS.ProcessEnv) => readSettings(engineSettings, env);

test('without any setting the database is the engine', () => {
  expect(read({})).toEqual({
    engine: 'postgres',
    openSearchUrl: '',
    openSearchPrefix: 'ces-',
    openSearchUser: '',
    openSearchPassword: '',
    openSearchCaFile: '',
    openSearchTimeoutMs: 5000,
    openSearchShards: 1,
    openSearchReplicas: 0,
  });
});

test.each([
  'https://a:9200',
  'https://a:9200,https://b:9200/behind/a/proxy',
  'http://localhost:9200',
  'http://127.0.0.2:9200,http://[::1]:9200',
])('%s names nodes', (given) => {
  expect(read({ CES_SEARCH_OPENSEARCH_URL: given }).openSearchUrl).toBe(given);
});

test.each([
  ['http://search.example:9200', 'must start with https://'],
  ['https://a:9200,http://10.0.0.1:9200', 'must start with https://'],
  ['http://127.0.0.1.example:9200', 'must start with https://'],
  ['http://0.0.0.0:9200', 'must start with https://'],
  ['https://me:secret@a:9200', 'must carry no name or password'],
  ['https://a:9200;https://b:9200', 'must be addresses'],
  ['https://a:9200, https://b:9200', 'must be addresses'],
  ['https://a:9200,', 'must be addresses'],
  ['a:9200', 'must be addresses'],
  ['https://a:9200?pretty', 'must be addresses'],
])('of %s is said: %s', (given, sentence) => {
  expect(() => read({ CES_SEARCH_OPENSEARCH_URL: given })).toThrow(`CES_SEARCH_OPENSEARCH_URL ${sentence}`);
});

test('a mistake in an address does not repeat it: it may hold a password', () => {
  expect(() => read({ CES_SEARCH_OPENSEARCH_URL: 'https://me:hunter2@a:9200' })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
  );
});

test.each(['ces-', 'a', '2nd-ces-', 'a'.repeat(100)])('a prefix may be %s', (prefix) => {
  expect(read({ CES_SEARCH_OPENSEARCH_PREFIX: prefix }).openSearchPrefix).toBe(prefix);
});

test.each(['Ces-', 'ces_', '-ces', 'ces*', 'ces,x', '.ces', 'a'.repeat(101), 'ces-\n'])('nor %j', (prefix) => {
  expect(() => read({ CES_SEARCH_OPENSEARCH_PREFIX: prefix })).toThrow('CES_SEARCH_OPENSEARCH_PREFIX must be');
});

test.each([
  ['CES_SEARCH_ENGINE', 'elasticsearch'],
  ['CES_SEARCH_OPENSEARCH_TIMEOUT_MS', '0'],
  ['CES_SEARCH_OPENSEARCH_SHARDS', '0'],
  ['CES_SEARCH_OPENSEARCH_REPLICAS', '-1'],
])('%s cannot be %s', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(`${name} must be`);
});
