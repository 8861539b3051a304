/** A graph of a dashboard. */
export interface Panel {
  readonly title: string;
  /** What it means to an operator, and when to worry. */
  readonly description: string;
  /** A unit of Grafana: s, percentunit, short, reqps. */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** Where a promise ends; drawn as a line. */
  readonly limit?: number;
}

interface Query {
  readonly expr: string;
  /** With labels in braces, for example `{{service}}`. */
  readonly legend: string;
}

export interface Dashboard {
  /** Also the name of its file. */
  readonly uid: string;
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
}

/** The p-th part of a histogram by some labels. */
export function quantile(p: number, metric: string, by: readonly string[], selector = ''): string {
  const labels = ['le', ...by].join(', ');
  return `histogram_quantile(${p}, sum by (${labels}) (rate(${metric}_bucket${selector}[$__rate_interval])))`;
}

/** Events a second of a counter or histogram by some labels. */
export function perSecond(metric: string, by: readonly string[], selector = ''): string {
  return `sum by (${by.join(', ')}) (rate(${metric}${selector}[$__rate_interval]))`;
}
