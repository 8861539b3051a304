import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { listComponents } from './components.ts';
import { configurationPage } from './configuration.ts';
import { toGrafana } from './dashboards/grafana.ts';
import { overview } from './dashboards/overview.ts';
import { programs } from './dashboards/programs.ts';

const FILES = path.join(REPOSITORY, 'charts/ces/files');

/** Files of the chart, and a page beside it, that are made from the code and committed with it, with their texts. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    [path.join(FILES, 'components.json'), textOf(listComponents())],
    [path.join(REPOSITORY, 'deploy/configuration.md'), configurationPage()],
    ...[overview, programs].map(
      (dashboard) => [path.join(FILES, `dashboards/${dashboard.uid}.json`), textOf(toGrafana(dashboard))] as const,
    ),
  ]);
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
