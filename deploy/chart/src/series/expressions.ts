import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { parse } from 'yaml';
import { overview } from '../dashboards/overview.ts';
import { programs } from '../dashboards/programs.ts';

/** An expression, and the panel or rule that relies on it. */
export interface Expression {
  readonly of: string;
  readonly expr: string;
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { alert?: string; record?: string; expr: string }[] }[];
}

/** Everything that dashboards draw. */
export function drawnExpressions(): Expression[] {
  return [overview, programs].flatMap(({ title, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap((panel) => panel.queries.map(({ expr }) => ({ of: `${title}, ${panel.title}`, expr }))),
    ),
  );
}

/** Everything that rules compute. */
export async function ruleExpressions(): Promise<Expression[]> {
  const { groups }: Rules = parse(await readFile(path.join(REPOSITORY, 'charts/ces/files/rules.yaml'), 'utf8'));
  return groups.flatMap(({ rules }) =>
    rules.map(({ alert, record, expr }) => ({ of: `rule ${alert ?? record}`, expr })),
  );
}
