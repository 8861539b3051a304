import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DATABASE_SERVICES, SERVICES } from '@ces/topology/services';
import { expect, test } from 'vitest';
import { drawnExpressions, ruleExpressions } from '../../test-support/expressions.ts';
import { selectorsOf } from '../../test-support/selectors.ts';
import { readCases } from './cases.ts';
import { alertsIn, ruleSuites, runbookOf } from './rules.ts';
import { RUNBOOKS } from './runbook-index.ts';

const ALERTS = ruleSuites().flatMap(alertsIn);
const CASES = readCases();
const SECTIONS = ['Effect', 'Diagnose', 'Fix', 'Confirm'];

test('every alert has a page that names it and says what it means, where to look, what to fix and how to confirm it', async () => {
  for (const one of ALERTS) {
    const { alert } = one;
    const page = await readFile(path.join(RUNBOOKS, `${runbookOf(one)}.md`), 'utf8');
    expect(page, alert).toContain(`\`${alert}\``);
    for (const section of SECTIONS) expect(page, alert).toMatch(new RegExp(`^## ${section}\\n\\n.{10}`, 'm'));
  }
});

test('there is no page but the index without an alert', async () => {
  const pages = new Set(['README.md', ...ALERTS.map((alert) => `${runbookOf(alert)}.md`)]);
  expect(new Set(await readdir(RUNBOOKS))).toEqual(pages);
});

test('every alert has a case in which it fires, and one minute at which it must not', () => {
  for (const { alert } of ALERTS) {
    const own = CASES.filter((one) => one.alert === alert);
    expect(own.flatMap(({ fires = [] }) => fires).length, alert).toBeGreaterThan(0);
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

test('every panel of a dashboard shows the chosen release only', () => {
  for (const { of, expr } of drawnExpressions())
    for (const { metric, matchers } of selectorsOf(expr)) {
      const named = new Map(matchers.map(({ label, value }) => [label, value]));
      expect([named.get('namespace'), named.get('release')], `${of}: ${metric}`).toEqual(['$namespace', '$release']);
    }
});

test('every window records the same shares of calls', () => {
  const recorded = ruleExpressions().filter(({ of }) => of.startsWith('rule ces:'));
  const shares = Map.groupBy(recorded, ({ of }) => of.replace(/_[^_]+$/, ''));
  const windows = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'];
  for (const [share, own] of shares) {
    expect(own.map(({ of }) => of)).toEqual(windows.map((window) => `${share}_${window}`));
    const wanted = windows.map((window) => own[0]?.expr.replaceAll('[5m]', `[${window}]`));
    expect(own.map(({ expr }) => expr)).toEqual(wanted);
  }
});

test('rules about pods, volumes and scalers name all programs or all databases', () => {
  const databases = DATABASE_SERVICES.map(({ name }) => name);
  const lists = [SERVICES.map(({ name }) => name), databases, databases.filter((name) => name !== 'search')];
  const named = ruleExpressions().flatMap(({ expr }) => expr.match(/(?<=FULLNAME-\()[^)]*/g) ?? []);
  expect(new Set(named)).toEqual(new Set(lists.map((names) => names.join('|'))));
});

test('every program that must run has an alert for its absence', () => {
  const { expr = '' } = ALERTS.find(({ alert }) => alert === 'CesProgramDown') ?? {};
  const named = [...expr.matchAll(/absent\(up\{[^}]*service="(\w+)"/g)].map(([, name]) => name);
  expect(named).toEqual(SERVICES.map(({ name }) => name).filter((name) => name !== 'acquisition'));
});
