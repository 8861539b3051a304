import { parser } from '@prometheus-io/lezer-promql';

interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

/**
 * Every vector selector of a PromQL expression; throws when it does not parse. Grafana's interval
 * counts as five minutes.
 */
export function selectorsOf(expression: string): Selector[] {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const found: { metric: string; matchers: Matcher[] }[] = [];
  let label = '';
  let operator = '';
  parser.parse(text).iterate({
    enter({ name, from, to, type }) {
      const part = text.slice(from, to);
      if (type.isError) throw new Error(`this is no PromQL: ${expression}`);
      if (name === 'VectorSelector') found.push({ metric: '', matchers: [] });
      const selector = found.at(-1);
      if (name === 'Identifier' && selector && !selector.metric) selector.metric = part;
      if (name === 'LabelName') label = part;
      if (name === 'MatchOp') operator = part;
      if (name === 'StringLiteral' && label && selector) {
        selector.matchers.push({ label, operator, value: JSON.parse(part) });
        label = '';
      }
    },
  });
  return found;
}
