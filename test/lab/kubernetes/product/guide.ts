import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';

const INSTALL = path.join(REPOSITORY, 'deploy/docs/install.md');
const ON_KUBERNETES = '## On Kubernetes';

/** A numbered step of the guide with its commands, word by word. */
export interface Step {
  /** Its comment, as `2. Secrets, drawn anew.` */
  readonly title: string;
  readonly commands: string;
}

/** The steps of the first block of commands under a heading of a guide; of deploy/docs/install.md for Kubernetes. */
export async function readSteps(file = INSTALL, heading = ON_KUBERNETES): Promise<Step[]> {
  return stepsOf(await readFile(file, 'utf8'), heading);
}

/** The commands of the first block under another heading of deploy/docs/install.md, word by word. */
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
