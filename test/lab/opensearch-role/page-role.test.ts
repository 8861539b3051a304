import { expect, test } from 'vitest';
import { narrowings } from './narrowings.ts';
import { roleAsFile, roleOfPage } from './page-role.ts';

test('the role of the page names the prefix alone, and no action by a wildcard of several', async () => {
  const { cluster, indices } = await roleOfPage();
  expect(indices.map(({ patterns }) => patterns)).toEqual([['ces-*']]);
  for (const action of [...cluster, ...indices.flatMap(({ actions }) => actions)])
    expect(action).toMatch(/^(cluster|indices):[a-z/_]+\*?$/);
});

test('each narrowing lacks one action, and the role as a file lacks none', async () => {
  const role = await roleOfPage();
  const count = ({ cluster, indices }: typeof role) =>
    cluster.length + indices.flatMap(({ actions }) => actions).length;
  const all = narrowings(role);
  expect(all).toHaveLength(count(role));
  for (const { narrowed } of all) expect(count(narrowed)).toBe(count(role) - 1);
  expect(roleAsFile(role)).toMatchObject({
    cluster_permissions: role.cluster,
    index_permissions: [{ index_patterns: ['ces-*'], allowed_actions: role.indices[0]?.actions }],
  });
});
