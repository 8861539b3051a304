import { NAMESPACE_SCOPE, RELEASE_SCOPE, type Scope, withScope } from '../series/scope.ts';
import type { RuleSuite } from './rules.ts';

export interface AlertCase {
  readonly alert: string;
  readonly series: Readonly<Record<string, string>>;
  readonly quiet: readonly number[];
  readonly fires: readonly number[];
}

const ELSEWHERE: Scope = { namespace: 'elsewhere', release: 'another' };
/** Expressions that fire when a series is missing. */
const OF_NOTHING = /\babsent\(|unless on \(\)/;

/** Repeats each first case on another release's series, which must not fire the alert. */
export function toPromtool({ alerts, needs }: RuleSuite, cases: readonly AlertCase[], file: string): object {
  const expressions = new Map(alerts.map(({ alert, expr }) => [alert, expr]));
  const tests = cases.flatMap((one) => {
    const expr = expressions.get(one.alert);
    if (expr === undefined) return [];
    const own = toTest(one, needs ? NAMESPACE_SCOPE : RELEASE_SCOPE);
    const isFirst = one === cases.find(({ alert, fires }) => alert === one.alert && fires.length > 0);
    if (OF_NOTHING.test(expr) || !isFirst) return [own];
    return [own, toTest({ ...one, quiet: one.fires, fires: [] }, ELSEWHERE)];
  });
  return { rule_files: [file], evaluation_interval: '1m', tests };
}

function toTest({ alert, series, quiet, fires }: AlertCase, scope: Scope): object {
  return {
    name: `${alert} in ${Object.values(scope).join(', ')}`,
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: withScope(name, scope), values })),
    promql_expr_test: [
      ...quiet.map((minute) => expectation(alert, minute, [])),
      ...fires.map((minute) => expectation(alert, minute, [{ labels: '{}', value: 1 }])),
    ],
  };
}

function expectation(alert: string, minute: number, samples: readonly object[]): object {
  const expr = `count(ALERTS{alertname="${alert}",alertstate="firing",namespace="NAMESPACE",release="RELEASE"})`;
  return { expr, eval_time: `${minute}m`, exp_samples: samples };
}
