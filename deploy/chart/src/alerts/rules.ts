import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { stringify } from 'yaml';
import { NAMESPACE_SCOPE, RELEASE_SCOPE, withScope } from '../series/scope.ts';
import { ENGINE } from './engine.ts';
import { BURN_RATES, SHARES } from './objectives.ts';
import { PLATFORM } from './platform.ts';
import type { AlertRule, Exporter, Recording, RuleGroup } from './rule.ts';
import { STATES } from './states.ts';

const FILES = path.join(REPOSITORY, 'charts/ces/files');

const GROUPS: readonly RuleGroup[] = [SHARES, BURN_RATES, STATES, ENGINE, ...PLATFORM];

/** Rules that depend on no others; promtool is slow on all at once. */
export interface RuleSuite {
  readonly name: string;
  readonly needs?: Exporter;
  readonly text: string;
  readonly alerts: readonly AlertRule[];
}

export function ruleSuites(): readonly RuleSuite[] {
  return [[SHARES, BURN_RATES], [STATES], [ENGINE], ...PLATFORM.map((group) => [group])].map((groups) => {
    const [{ name, needs } = SHARES] = groups;
    const alerts = groups.flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));
    return { name, text: textOf(groups), alerts, ...(needs && { needs }) };
  });
}

/** One for the product's metrics, one for each other exporter. */
export function ruleFiles(): ReadonlyMap<string, string> {
  const exporters = [...new Set(GROUPS.map(({ needs }) => needs))];
  return new Map(exporters.map((needs) => [fileOf(needs), textOf(GROUPS.filter((group) => group.needs === needs))]));
}

function fileOf(needs: Exporter | undefined): string {
  return path.join(FILES, needs === undefined ? 'rules.yaml' : `rules/${needs}.yaml`);
}

/** Helm replaces names in capitals. These labels separate two releases in one Prometheus. */
function textOf(groups: readonly RuleGroup[]): string {
  const written = groups.map(({ name, interval, needs, rules }) => ({
    name,
    ...(interval && { interval }),
    rules: rules.map((rule) => write(rule, needs)),
  }));
  const text = stringify({ groups: written }, { lineWidth: 0, blockQuote: 'literal', aliasDuplicateObjects: false });
  // Quoted, because a release name may be a number.
  return text.replaceAll(/: (NAMESPACE|RELEASE)$/gm, ': "$1"');
}

function write(rule: Recording | AlertRule, needs: Exporter | undefined): object {
  const expr = withScope(rule.expr, needs ? NAMESPACE_SCOPE : RELEASE_SCOPE);
  if ('record' in rule) return { record: rule.record, expr, labels: RELEASE_SCOPE };
  return {
    alert: rule.alert,
    expr,
    for: rule.for,
    labels: { severity: rule.severity, ...RELEASE_SCOPE },
    annotations: { summary: rule.summary, runbook_url: `RUNBOOKS/${rule.runbook}.md` },
  };
}
