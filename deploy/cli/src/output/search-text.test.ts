import { expect, test } from 'vitest';
import { observationText } from './search-text.ts';

const OBSERVATION = {
  id: 434,
  kind: 'facility_expansion',
  observed_fact: 'Northwind opened a plant.',
  country: 'CA',
  occurred_at: '2026-11-28T00:00:00Z',
};

function shown(excerpt: string): string | undefined {
  return observationText({
    ...OBSERVATION,
    evidence: [{ source_uri: 'https://northwind.example/news', excerpt }],
  }).split('\n')[1];
}

test('an excerpt has quotation marks, and no second pair where it brings its own', () => {
  expect(shown('Northwind opened a plant.')).toBe('    "Northwind opened a plant."');
  expect(shown('"Demand has outgrown our building," said Northwind.')).toBe(
    '    "Demand has outgrown our building," said Northwind.',
  );
});
