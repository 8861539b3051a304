import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { runbookIndex } from './alerts/runbook-index.ts';
import { withCapacityTables } from './capacity/page.ts';
import { listComponents } from './components.ts';
import { configurationPage } from './configuration.ts';

const CAPACITY = path.join(REPOSITORY, 'deploy/docs/capacity.md');

/** Texts by path. Go tools write README.md and values.schema.json. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    [path.join(REPOSITORY, 'charts/ces/files/components.json'), `${JSON.stringify(listComponents(), undefined, 2)}\n`],
    [path.join(REPOSITORY, 'deploy/configuration.md'), configurationPage()],
    [CAPACITY, withCapacityTables(readFileSync(CAPACITY, 'utf8'))],
    [path.join(REPOSITORY, 'deploy/runbooks/README.md'), runbookIndex()],
  ]);
}
