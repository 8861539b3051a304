import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';

const GUIDE = path.join(REPOSITORY, 'deploy/docs/install.md');
const HEADING = '## On Kubernetes';

/** A numbered step of the guide with its commands, word by word. */
export interface Step {
  /** Its comment, as `2. Secrets, drawn anew.` */
  readonly title: string;
  readonly commands: string;
}

/** The steps of the first block of commands for Kubernetes in deploy/docs/install.md. */
export async function readSteps(): Promise<Step[]> {
  const guide = await readFile(GUIDE, 'utf8');
  return stepsOf(guide);
}

export function stepsOf(guide: string): Step[] {
  const section = guide.slice(guide.indexOf(HEADING));
  const [, block = ''] = /```sh\n(.*?)```/s.exec(section) ?? [];
  return block
    .split(/^# (?=\d+\. )/m)
    .slice(1)
    .map((step) => {
      const [title = '', ...commands] = step.split('\n');
      return { title, commands: commands.join('\n').trim() };
    });
}
