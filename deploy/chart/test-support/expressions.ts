import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { parse } from 'yaml';
import { ruleSuites } from '../src/alerts/rules.ts';

export interface Expression {
  readonly of: string;
  readonly expr: string;
}

interface Dashboard {
  readonly title: string;
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

interface Adapter {
  readonly rules: Readonly<Record<'custom' | 'external', readonly { name: { as: string }; metricsQuery: string }[]>>;
}

export function drawnExpressions(): Expression[] {
  return globSync(path.join(REPOSITORY, 'charts/ces/files/dashboards/*.json')).flatMap((file) => {
    const { title, panels }: Dashboard = JSON.parse(readFileSync(file, 'utf8'));
    return panels.flatMap(({ title: of, targets = [] }) =>
      targets.map(({ expr }) => ({ of: `${title}, ${of}`, expr })),
    );
  });
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
