import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { expect, test } from 'vitest';

function read(file: string): string {
  return readFileSync(path.join(REPOSITORY, file), 'utf8');
}

test('KEDA counts the jobs that wait as operations itself does', () => {
  const [, asked] = /query: "([^"]+)"/.exec(read('charts/ces/templates/_autoscaling.tpl')) ?? [];
  const counted = read('services/operations/src/db/unfinished.ts').replace('count(*)::int as waiting', 'count(*)');
  expect(asked).toMatch(/^select count\(\*\) from job where /);
  expect(counted).toContain(`\`${asked}\``);
});
