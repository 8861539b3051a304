import type { Selector } from './selectors.ts';

export interface Series {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
}

export function parseScrape(text: string): Series[] {
  return text.split('\n').flatMap((line) => {
    const [, metric, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+/.exec(line) ?? [];
    if (!metric) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    return [{ metric, labels: Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value])) }];
  });
}

export function isAnswered({ metric, matchers }: Selector, scrape: readonly Series[]): boolean {
  return scrape.some(
    (series) =>
      series.metric === metric &&
      matchers.every(({ label, operator, value }) => {
        const actual = series.labels[label] ?? '';
        const equal = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
        return operator.startsWith('!') ? !equal : equal;
      }),
  );
}
