import path from 'node:path';
import { REPOSITORY } from '@ces/local/services';
import { listComponents } from './components.ts';

/** What the chart's templates range over; made from the code, and committed with it. */
export const COMPONENTS_FILE = path.join(REPOSITORY, 'charts/ces/files/components.json');

export function componentsText(): string {
  return `${JSON.stringify(listComponents(), undefined, 2)}\n`;
}
