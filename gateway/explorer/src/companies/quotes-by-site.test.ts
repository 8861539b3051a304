import { expect, test } from 'vitest';
import { observationOf } from '../test-support/companies.ts';
import { quotesBySite } from './quotes-by-site.ts';

test('quotes are counted by site, over all observations', () => {
  const [evidence] = observationOf().evidence;
  if (!evidence) throw new Error('The observation has no evidence.');
  const at = (source_uri: string) => ({ ...evidence, source_uri });
  const sites = quotesBySite([
    observationOf({ evidence: [at('https://a.example/1'), at('urn:x')] }),
    observationOf({ evidence: [at('https://a.example/2')] }),
  ]);
  expect(sites).toEqual([
    { name: 'a.example', uri: 'https://a.example/1', quotes: 2 },
    { name: 'urn:x', uri: 'urn:x', quotes: 1 },
  ]);
});
