import { readSettings } from '@ces/chassis/service/settings';
import { expect, test } from 'vitest';
import { engineSettings } from '../engine-settings.ts';
import { engineOf } from './engine-of.ts';

const chosenBy = (env: NodeJS.ProcessEnv) => engineOf(readSettings(engineSettings, env));

test('the database is the engine until another is named, whatever is known of others', () => {
  expect(chosenBy({})).toBe('postgres');
  expect(chosenBy({ CES_SEARCH_OPENSEARCH_URL: 'https://a:9200' })).toBe('postgres');
});

test('OpenSearch is one where its address is known', () => {
  expect(chosenBy({ CES_SEARCH_ENGINE: 'opensearch', CES_SEARCH_OPENSEARCH_URL: 'https://a:9200' })).toBe('opensearch');
});

test('OpenSearch without an address is refused', () => {
  expect(() => chosenBy({ CES_SEARCH_ENGINE: 'opensearch' })).toThrow(
    'CES_SEARCH_OPENSEARCH_URL is not set: CES_SEARCH_ENGINE=opensearch needs the address of a node.',
  );
});
