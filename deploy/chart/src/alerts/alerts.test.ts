import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { expect, test } from 'vitest';
import { BURN_RATES } from './burn-rates.ts';
import { readAlerts } from './rules.ts';
import { STATES } from './state.ts';

const RUNBOOKS = path.join(REPOSITORY, 'deploy/runbooks');
const SECTIONS = ['What it means to users', 'First look', 'Mend', 'Prove it is over'];

test('every alert has a page that names it and says what it means, where to look, what to mend and how to prove it', async () => {
  for (const { alert, annotations } of await readAlerts()) {
    const page = await readFile(path.join(RUNBOOKS, path.basename(annotations.runbook_url)), 'utf8');
    expect(page, alert).toContain(`\`${alert}\``);
    for (const section of SECTIONS) expect(page, alert).toMatch(new RegExp(`^## ${section}\\n\\n.{10}`, 'm'));
  }
});

test('there is no page without an alert', async () => {
  const pages = new Set((await readAlerts()).map(({ annotations }) => path.basename(annotations.runbook_url)));
  expect(new Set(await readdir(RUNBOOKS))).toEqual(pages);
});

test('every alert has a case in which it fires, and one minute at which it must not', async () => {
  const cases = [...BURN_RATES, ...STATES];
  for (const { alert } of await readAlerts()) {
    const own = cases.filter((one) => one.alert === alert);
    expect(own.flatMap(({ fires }) => fires).length, alert).toBeGreaterThan(0);
    expect(own.flatMap(({ quiet }) => quiet).length, alert).toBeGreaterThan(0);
  }
});
