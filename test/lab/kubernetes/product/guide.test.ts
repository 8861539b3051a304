import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { expect, test } from 'vitest';
import { readCommands, readSteps, stepsOf } from './guide.ts';

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

test('the guide of security takes ServiceAccounts into use in three steps', async () => {
  const guide = path.join(REPOSITORY, 'deploy/docs/security.md');
  const steps = await readSteps(guide, '## Tokens of ServiceAccounts');
  expect(steps.map(({ title }) => title.slice(0, 2))).toEqual(['1.', '2.', '3.']);
});

test('the guide says how a release comes to databases that the chart makes', async () => {
  const commands = await readCommands('## Databases that the chart makes');
  expect(commands).toMatch(/create namespace ces\n.*helm upgrade --install ces .*production\.yaml .* --wait/s);
});
