import { NAMESPACE_SCOPE, RELEASE_SCOPE, type Scope, withScope } from '../series/scope.ts';
import type { RuleSuite } from './rules.ts';

/** When an alert must fire and when it must not, on made-up series of one value a minute. */
export interface AlertCase {
  readonly alert: string;
  /** Values by series, as promtool writes them, without the labels of the release. */
  readonly series: Readonly<Record<string, string>>;
  /** Minutes at which nothing may fire. */
  readonly quiet: readonly number[];
  /** Minutes at which it must fire, exactly once. */
  readonly fires: readonly number[];
}

/** Another installation of the product that the same Prometheus scrapes. */
const ELSEWHERE: Scope = { namespace: 'elsewhere', release: 'another' };
/** Fires where there are no series at all. */
const OF_NOTHING = /\babsent\(|unless on \(\)/;

/**
 * The file that `promtool test rules` reads for a suite: each case on series of the release, and one of each alert again on series of
 * another, of which those of this one must know nothing.
 */
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
