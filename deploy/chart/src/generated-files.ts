import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { runbookIndex } from './alerts/runbook-index.ts';
import { capacityPage } from './capacity/page.ts';
import { listComponents } from './components.ts';
import { configurationPage } from './configuration.ts';

/** Texts by path. Go tools write README.md and values.schema.json. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    [path.join(REPOSITORY, 'charts/ces/files/components.json'), `${JSON.stringify(listComponents(), undefined, 2)}\n`],
    [path.join(REPOSITORY, 'deploy/configuration.md'), configurationPage()],
    [path.join(REPOSITORY, 'deploy/docs/capacity.md'), capacityPage()],
    [path.join(REPOSITORY, 'deploy/runbooks/README.md'), runbookIndex()],
  ]);
}
