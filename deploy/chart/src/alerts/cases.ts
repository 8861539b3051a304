import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { parse } from 'yaml';
import { alertsIn, type RuleSuite, type Scope } from './rules.ts';

export interface AlertCase {
  readonly alert: string;
  /** Values by series, in promtool's notation. */
  readonly series: Readonly<Record<string, string>>;
  /** Minutes at which the alert must not fire. */
  readonly quiet: readonly number[];
  readonly fires?: readonly number[];
}

const ELSEWHERE: Scope = { namespace: 'elsewhere', release: 'another' };
/** Expressions that fire when a series is missing. */
const OF_NOTHING = /\babsent\(|unless on \(\)/;

export function readCases(): readonly AlertCase[] {
  return parse(readFileSync(path.join(REPOSITORY, 'charts/ces/tests/alerts.yaml'), 'utf8'));
}

/** Repeats each first case on another release's series, which must not fire the alert. */
export function toPromtool(suite: RuleSuite, cases: readonly AlertCase[], file: string): object {
  const expressions = new Map(alertsIn(suite).map(({ alert, expr }) => [alert, expr]));
  const tests = cases.flatMap((one) => {
    const expr = expressions.get(one.alert);
    if (expr === undefined) return [];
    const own = toTest(one, suite.scope);
    const isFirst = one === cases.find(({ alert, fires }) => alert === one.alert && fires);
    if (OF_NOTHING.test(expr) || !isFirst) return [own];
    return [own, toTest({ ...one, quiet: one.fires ?? [], fires: [] }, ELSEWHERE)];
  });
  return { rule_files: [file], evaluation_interval: '1m', tests };
}

function toTest({ alert, series, quiet, fires = [] }: AlertCase, scope: Scope): object {
  return {
    name: `${alert} in ${Object.values(scope).join(', ')}`,
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: withLabels(name, scope), values })),
    promql_expr_test: [
      ...quiet.map((minute) => expectation(alert, minute, [])),
      ...fires.map((minute) => expectation(alert, minute, [{ labels: '{}', value: 1 }])),
    ],
  };
}

function withLabels(series: string, scope: Scope): string {
  const [, name, labels] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? [];
  return `${name}{${Object.entries(scope).map(([label, value]) => `${label}="${value}"`)}${labels ? `,${labels}` : ''}}`;
}

function expectation(alert: string, minute: number, samples: readonly object[]): object {
  const expr = `count(ALERTS{alertname="${alert}",alertstate="firing",namespace="NAMESPACE",release="RELEASE"})`;
  return { expr, eval_time: `${minute}m`, exp_samples: samples };
}
