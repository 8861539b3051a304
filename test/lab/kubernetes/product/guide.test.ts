import { expect, test } from 'vitest';
import { readSteps, stepsOf } from './guide.ts';

test('the steps of a guide are its commands under their numbered comments', () => {
  const guide =
    '# Install\n\n## On Kubernetes, soon\n\nNeeds: one.\n\n```sh\n# 1. First.\none   # why\ntwo \\\n  --three\n\n# 2. Then.\nfour\n```\n';
  expect(stepsOf(guide)).toEqual([
    { title: '1. First.', commands: 'one   # why\ntwo \\\n  --three' },
    { title: '2. Then.', commands: 'four' },
  ]);
});

test('the guide of this repository installs in five steps, the fourth of which is the release', async () => {
  const steps = await readSteps();
  expect(steps).toHaveLength(5);
  expect(steps[3]?.commands).toContain('helm upgrade --install ces charts/ces');
});
