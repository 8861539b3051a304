import { expect, test } from 'vitest';
import { formsOf } from './inflections.ts';

test.each([
  ['expand', ['expand', 'expands', 'expanded', 'expanding']],
  ['launch', ['launch', 'launches', 'launched', 'launching']],
  ['release', ['release', 'releases', 'released', 'releasing']],
  ['apply', ['apply', 'applies', 'applied', 'applying']],
  ['plan', ['plan', 'plans', 'planned', 'planning']],
  ['shut', ['shut', 'shuts', 'shut', 'shutting']],
  ['build', ['build', 'builds', 'built', 'building']],
])('"%s" has its four forms', (verb, forms) => {
  expect(formsOf(verb)).toEqual(forms);
});
