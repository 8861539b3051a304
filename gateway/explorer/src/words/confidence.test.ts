import { expect, test } from 'vitest';
import { wayOf } from './confidence.ts';

test('confidence says how a fact was obtained', () => {
  expect([0.9, 0.8, 0.7, 0.5].map(wayOf)).toEqual([
    'from a registry or an official structured record',
    'from a structured feed',
    'from a text, matched by rule',
    'inferred',
  ]);
});
