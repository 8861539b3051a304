import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { ruleFiles } from './alerts/rules.ts';
import { capacityPage } from './capacity/page.ts';
import { listComponents } from './components.ts';
import { configurationPage } from './configuration.ts';
import { toGrafana } from './dashboards/grafana.ts';
import { overview } from './dashboards/overview.ts';
import { programs } from './dashboards/programs.ts';
import { chartReadme } from './values/readme.ts';
import { valuesSchema } from './values/schema.ts';
import { valuesYaml } from './values/yaml.ts';

const CHART = path.join(REPOSITORY, 'charts/ces');
const FILES = path.join(CHART, 'files');

/**
 * Texts of the committed files that are generated from the code, by path: in the chart, and pages
 * in deploy.
 */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...ruleFiles(),
    [path.join(FILES, 'components.json'), textOf(listComponents())],
    [path.join(REPOSITORY, 'deploy/configuration.md'), configurationPage()],
    [path.join(REPOSITORY, 'deploy/docs/capacity.md'), capacityPage()],
    [path.join(CHART, 'values.yaml'), valuesYaml()],
    [path.join(CHART, 'values.schema.json'), textOf(valuesSchema())],
    [path.join(CHART, 'README.md'), chartReadme()],
    ...[overview, programs].map(
      (dashboard) => [path.join(FILES, `dashboards/${dashboard.uid}.json`), textOf(toGrafana(dashboard))] as const,
    ),
  ]);
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
