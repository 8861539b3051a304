import { parser } from '@prometheus-io/lezer-promql';

export type Scope = Readonly<Record<string, string>>;

/** For rules: Helm replaces the placeholders with the namespace and the release. */
export const RELEASE_SCOPE: Scope = { namespace: 'NAMESPACE', release: 'RELEASE' };
/** They match objects by name. */
export const NAMESPACE_SCOPE: Scope = { namespace: 'NAMESPACE' };
export const CHOSEN_SCOPE: Scope = { namespace: '$namespace', release: '$release' };

/** Replaces `$__rate_interval`, which PromQL cannot parse. No expression has this duration. */
const INTERVAL = '7919s';

/** Adds the labels of a scope to every selector of an expression; throws if it does not parse. */
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
