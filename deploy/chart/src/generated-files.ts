import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { runbookIndex } from './alerts/runbook-index.ts';
import { capacityPage } from './capacity/page.ts';
import { listComponents } from './components.ts';
import { configurationPage } from './configuration.ts';
import { toGrafana } from './dashboards/grafana.ts';
import { overview } from './dashboards/overview.ts';
import { programs } from './dashboards/programs.ts';

const FILES = path.join(REPOSITORY, 'charts/ces/files');

/** Texts by path. Go tools write README.md and values.schema.json. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    [path.join(FILES, 'components.json'), textOf(listComponents())],
    [path.join(REPOSITORY, 'deploy/configuration.md'), configurationPage()],
    [path.join(REPOSITORY, 'deploy/docs/capacity.md'), capacityPage()],
    [path.join(REPOSITORY, 'deploy/runbooks/README.md'), runbookIndex()],
    ...[overview, programs].map(
      (dashboard) => [path.join(FILES, `dashboards/${dashboard.uid}.json`), textOf(toGrafana(dashboard))] as const,
    ),
  ]);
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
