import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ruleExpressions } from '../../test-support/expressions.ts';
import { selectorsOf } from '../../test-support/selectors.ts';
import { CASES } from './cases.ts';
import { ruleSuites } from './rules.ts';
import { RUNBOOKS } from './runbook-index.ts';

const ALERTS = ruleSuites().flatMap(({ alerts }) => alerts);
const SECTIONS = ['Effect', 'Diagnose', 'Fix', 'Confirm'];

test('every alert has a page that names it and says what it means, where to look, what to fix and how to confirm it', async () => {
  for (const { alert, runbook } of ALERTS) {
    const page = await readFile(path.join(RUNBOOKS, `${runbook}.md`), 'utf8');
    expect(page, alert).toContain(`\`${alert}\``);
    for (const section of SECTIONS) expect(page, alert).toMatch(new RegExp(`^## ${section}\\n\\n.{10}`, 'm'));
  }
});

test('there is no page but the index without an alert', async () => {
  const pages = new Set(['README.md', ...ALERTS.map(({ runbook }) => `${runbook}.md`)]);
  expect(new Set(await readdir(RUNBOOKS))).toEqual(pages);
});

test('every alert has a case in which it fires, and one minute at which it must not', () => {
  for (const { alert } of ALERTS) {
    const own = CASES.filter((one) => one.alert === alert);
    expect(own.flatMap(({ fires }) => fires).length, alert).toBeGreaterThan(0);
    expect(own.flatMap(({ quiet }) => quiet).length, alert).toBeGreaterThan(0);
  }
});

test('no rule looks beyond its release: each selector names the namespace, and of our own series the release too', () => {
  for (const { of, expr } of ruleExpressions())
    for (const { metric, matchers } of selectorsOf(expr)) {
      const named = new Map(matchers.map(({ label, value }) => [label, value]));
      expect(named.get('namespace'), `${of}: ${metric}`).toBe('NAMESPACE');
      const ofObjects = ['pod', 'deployment', 'horizontalpodautoscaler', 'persistentvolumeclaim'];
      const isOurs = named.get('release') === 'RELEASE';
      const isOfOurs = ofObjects.some((label) => named.get(label)?.startsWith('FULLNAME-('));
      expect(isOurs || isOfOurs, `${of}: ${metric}`).toBe(true);
    }
});
