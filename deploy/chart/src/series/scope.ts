import { parser } from '@prometheus-io/lezer-promql';

/** Labels that every series of the product has, by how it is scraped, and what stands for their values until they are known. */
export type Scope = Readonly<Record<string, string>>;

/** In rules: Helm puts the release and its namespace there. */
export const RELEASE_SCOPE: Scope = { namespace: 'NAMESPACE', release: 'RELEASE' };
/** In rules on what others export of the release's objects, which know no release: those name them by the names of the objects. */
export const NAMESPACE_SCOPE: Scope = { namespace: 'NAMESPACE' };
/** In dashboards: variables, chosen above the graphs. */
export const CHOSEN_SCOPE: Scope = { namespace: '$namespace', release: '$release' };

/** A duration that no expression has, in place of Grafana's interval while PromQL is parsed. */
const INTERVAL = '7919s';

/** An expression with the labels of a scope in every one of its selectors; throws on one that does not parse. */
export function withScope(expression: string, scope: Scope): string {
  const text = expression.replaceAll('$__rate_interval', INTERVAL);
  const labels = Object.entries(scope).map(([label, value]) => `${label}="${value}"`);
  const insertions: { readonly at: number; readonly text: string }[] = [];
  parser.parse(text).iterate({
    enter({ type, name, node, to }) {
      if (type.isError) throw new Error(`this is no PromQL: ${expression}`);
      if (name !== 'VectorSelector') return;
      const matchers = node.getChild('LabelMatchers');
      if (!matchers) insertions.push({ at: to, text: `{${labels.join()}}` });
      else insertions.push({ at: matchers.from + 1, text: `${labels.join()}${matchers.firstChild ? ',' : ''}` });
    },
  });
  const scoped = insertions.reduceRight((done, { at, text: more }) => done.slice(0, at) + more + done.slice(at), text);
  return scoped.replaceAll(INTERVAL, '$__rate_interval');
}
