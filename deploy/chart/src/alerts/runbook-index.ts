import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { table } from '../markdown.ts';
import { alertsIn, ruleSuites, runbookOf } from './rules.ts';

export const RUNBOOKS = path.join(REPOSITORY, 'deploy/runbooks');

const HEAD = `# Runbooks

The gateway serves these pages at \`/runbooks\`. Alerts in bold page: users are affected now, or a
promise is at risk. The others are tickets, which can wait until morning.
`;

export function runbookIndex(): string {
  const alerts = ruleSuites()
    .flatMap(alertsIn)
    .toSorted((one, other) => (one.alert < other.alert ? -1 : 1));
  const rows = [...Map.groupBy(alerts, runbookOf)].map(([runbook, own]) => [
    own.map(({ alert, labels }) => (labels.severity === 'page' ? `**${alert}**` : alert)).join(', '),
    `[${titleOf(runbook)}](${runbook}.md)`,
  ]);
  return `${HEAD}\n${table(['alerts', 'runbook'], rows)}\n`;
}

function titleOf(runbook: string): string {
  const [, title = runbook] = /^# (.+)\n/.exec(readFileSync(path.join(RUNBOOKS, `${runbook}.md`), 'utf8')) ?? [];
  return title;
}
