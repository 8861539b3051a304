import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { code, table } from '../markdown.ts';
import { ruleSuites } from './rules.ts';

export const RUNBOOKS = path.join(REPOSITORY, 'deploy/runbooks');

const HEAD = `# Runbooks

What each alert means to users, where to look first, how to repair it, and how to prove that it is
over. The gateway serves these pages at \`/runbooks\`. \`page\`: users are affected now, or a promise
is at risk. \`ticket\`: it can wait until morning.
`;

/** The page that lists every alert in alphabetical order, with a link to its runbook. */
export function runbookIndex(): string {
  const alerts = ruleSuites().flatMap((suite) => suite.alerts);
  const rows = alerts
    .toSorted((one, other) => (one.alert < other.alert ? -1 : 1))
    .map(({ alert, severity, runbook }) => [code(alert), severity, `[${titleOf(runbook)}](${runbook}.md)`]);
  return `${HEAD}\n${table(['alert', 'severity', 'runbook'], rows)}\n`;
}

function titleOf(runbook: string): string {
  const [, title = runbook] = /^# (.+)\n/.exec(readFileSync(path.join(RUNBOOKS, `${runbook}.md`), 'utf8')) ?? [];
  return title;
}
