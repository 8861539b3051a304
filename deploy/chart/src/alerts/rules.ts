import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { parse } from 'yaml';

/** Labels of every series of a release. Helm replaces the values. */
export type Scope = Readonly<Record<string, string>>;

const RELEASE_SCOPE: Scope = { namespace: 'NAMESPACE', release: 'RELEASE' };
/** Rules for exporters match objects by name. */
const NAMESPACE_SCOPE: Scope = { namespace: 'NAMESPACE' };
const FILES = path.join(REPOSITORY, 'charts/ces/files');

interface Rule {
  readonly record?: string;
  readonly expr: string;
}

export interface Alert extends Rule {
  readonly alert: string;
  readonly labels: { readonly severity: 'page' | 'ticket' };
  readonly annotations: { readonly runbook_url: string };
}

interface Group {
  readonly name: string;
  readonly rules: readonly (Rule | Alert)[];
}

/** Groups that depend on no others; promtool is slow on all at once. */
export interface RuleSuite {
  readonly name: string;
  readonly scope: Scope;
  readonly groups: readonly Group[];
}

export function ruleSuites(): readonly RuleSuite[] {
  const [objectives, burnRates, ...others] = groupsIn('rules.yaml');
  const own = [[objectives, burnRates].filter((group) => group !== undefined), ...others.map((group) => [group])];
  const exporters = globSync('rules/*.yaml', { cwd: FILES }).sort().map(groupsIn);
  return [
    ...own.map((groups) => suiteOf(groups, RELEASE_SCOPE)),
    ...exporters.map((groups) => suiteOf(groups, NAMESPACE_SCOPE)),
  ];
}

export function alertsIn({ groups }: RuleSuite): readonly Alert[] {
  return groups.flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));
}

/** The name of the alert's page in deploy/runbooks, without `.md`. */
export function runbookOf({ annotations }: Alert): string {
  return path.basename(annotations.runbook_url, '.md');
}

function suiteOf(groups: readonly Group[], scope: Scope): RuleSuite {
  return { name: groups[0]?.name ?? '', scope, groups };
}

function groupsIn(file: string): readonly Group[] {
  return (parse(readFileSync(path.join(FILES, file), 'utf8')) as { groups: readonly Group[] }).groups;
}
