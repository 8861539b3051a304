import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { parse } from 'yaml';
import { ruleSuites } from '../src/alerts/rules.ts';
import { overview } from '../src/dashboards/overview.ts';
import { programs } from '../src/dashboards/programs.ts';
import { CHOSEN_SCOPE, withScope } from '../src/series/scope.ts';

export interface Expression {
  readonly of: string;
  readonly expr: string;
}

interface Adapter {
  readonly rules: Readonly<Record<'custom' | 'external', readonly { name: { as: string }; metricsQuery: string }[]>>;
}

export function drawnExpressions(): Expression[] {
  return [overview, programs].flatMap(({ title, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap((panel) =>
        panel.queries.map(({ expr }) => ({ of: `${title}, ${panel.title}`, expr: withScope(expr, CHOSEN_SCOPE) })),
      ),
    ),
  );
}

const ADAPTER = path.join(REPOSITORY, 'charts/ces/examples/scaling/prometheus-adapter.yaml');

export async function scalingExpressions(): Promise<Expression[]> {
  const { rules }: Adapter = parse(await readFile(ADAPTER, 'utf8'));
  return [...rules.custom, ...rules.external].map(({ name, metricsQuery }) => ({
    of: `metric ${name.as}`,
    expr: metricsQuery.replaceAll('<<.GroupBy>>', 'pod').replaceAll('<<.LabelMatchers>>', 'namespace="ces"'),
  }));
}

export function ruleExpressions(): Expression[] {
  return ruleSuites().flatMap(({ groups }) =>
    groups.flatMap(({ rules }) =>
      rules.map((rule) => ({ of: `rule ${'alert' in rule ? rule.alert : rule.record}`, expr: rule.expr })),
    ),
  );
}
