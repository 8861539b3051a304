import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';

const INSTALL = path.join(REPOSITORY, 'deploy/docs/install.md');
const ON_KUBERNETES = '## On Kubernetes';

export interface Step {
  readonly title: string;
  readonly commands: string;
}

/**
 * The steps of the first command block under a heading. Default: Kubernetes in
 * deploy/docs/install.md.
 */
export async function readSteps(file = INSTALL, heading = ON_KUBERNETES): Promise<Step[]> {
  return stepsOf(await readFile(file, 'utf8'), heading);
}

export async function readCommands(heading: string): Promise<string> {
  return blockOf(await readFile(INSTALL, 'utf8'), heading);
}

function stepsOf(guide: string, heading = ON_KUBERNETES): Step[] {
  return blockOf(guide, heading)
    .split(/^# (?=\d+\. )/m)
    .slice(1)
    .map((step) => {
      const [title = '', ...commands] = step.split('\n');
      return { title, commands: commands.join('\n').trim() };
    });
}

function blockOf(guide: string, heading: string): string {
  const [, block = ''] = /```sh\n(.*?)```/s.exec(guide.slice(guide.indexOf(heading))) ?? [];
  return block;
}
