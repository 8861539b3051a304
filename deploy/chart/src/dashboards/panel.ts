export interface Panel {
  readonly title: string;
  readonly description: string;
  /** A Grafana unit id: s, percentunit, short, reqps. */
  readonly unit: string;
  readonly queries: readonly Query[];
  readonly limit?: number;
}

interface Query {
  readonly expr: string;
  readonly legend: string;
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
}

/** PromQL for the `p` quantile of a histogram, by labels; `p` is between 0 and 1. */
export function quantile(p: number, metric: string, by: readonly string[], selector = ''): string {
  const labels = ['le', ...by].join(', ');
  return `histogram_quantile(${p}, sum by (${labels}) (rate(${metric}_bucket${selector}[$__rate_interval])))`;
}

/** PromQL for the events a second of a counter or histogram, by labels. */
export function perSecond(metric: string, by: readonly string[], selector = ''): string {
  return `sum by (${by.join(', ')}) (rate(${metric}${selector}[$__rate_interval]))`;
}
