import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { parse } from 'yaml';

export const RULES = path.join(REPOSITORY, 'charts/ces/files/rules.yaml');

export interface Alert {
  readonly alert: string;
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

/** Every alert of the chart. */
export async function readAlerts(): Promise<Alert[]> {
  const { groups }: { groups: { rules: (Alert | { record: string })[] }[] } = parse(await readFile(RULES, 'utf8'));
  return groups.flatMap(({ rules }) => rules).filter((rule) => 'alert' in rule);
}
