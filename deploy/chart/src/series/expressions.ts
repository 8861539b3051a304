import { parse } from 'yaml';
import { ruleFiles } from '../alerts/rules.ts';
import { overview } from '../dashboards/overview.ts';
import { programs } from '../dashboards/programs.ts';
import { CHOSEN_SCOPE, withScope } from './scope.ts';

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
      panels.flatMap((panel) =>
        panel.queries.map(({ expr }) => ({ of: `${title}, ${panel.title}`, expr: withScope(expr, CHOSEN_SCOPE) })),
      ),
    ),
  );
}

/** Everything that rules compute, as the chart has it. */
export function ruleExpressions(): Expression[] {
  return [...ruleFiles().values()].flatMap((text) => {
    const { groups }: Rules = parse(text);
    return groups.flatMap(({ rules }) =>
      rules.map(({ alert, record, expr }) => ({ of: `rule ${alert ?? record}`, expr })),
    );
  });
}
