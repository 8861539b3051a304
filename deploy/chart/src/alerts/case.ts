/** When an alert must fire and when it must not, on made-up series of one value a minute. */
export interface AlertCase {
  readonly alert: string;
  /** Values by series, as promtool writes them. */
  readonly series: Readonly<Record<string, string>>;
  /** Minutes at which nothing may fire. */
  readonly quiet: readonly number[];
  /** Minutes at which it must fire, exactly once. */
  readonly fires: readonly number[];
}

/** The file that `promtool test rules` reads. */
export function toPromtool(cases: readonly AlertCase[], rules: string): object {
  return {
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: cases.map(({ alert, series, quiet, fires }) => ({
      name: alert,
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        ...quiet.map((minute) => expectation(alert, minute, [])),
        ...fires.map((minute) => expectation(alert, minute, [{ labels: '{}', value: 1 }])),
      ],
    })),
  };
}

function expectation(alert: string, minute: number, samples: readonly object[]): object {
  const expr = `count(ALERTS{alertname="${alert}",alertstate="firing"})`;
  return { expr, eval_time: `${minute}m`, exp_samples: samples };
}
