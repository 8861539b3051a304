import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandOf } from '@ces/servers/processes/system-processes';
import { REPOSITORY } from '@ces/topology/services';
import { withProgress } from '../../bin/progress.mjs';
import { dataDirectory } from '../state/data-directory.ts';
import { findRunningStack } from '../state/stack-lock.ts';
import { terminal } from './output.ts';

const data = dataDirectory(process.env.CES_DATA_DIR || path.join(REPOSITORY, '.local'));
const pid = await findRunningStack(data);

if (pid === undefined) terminal.say(`no stack runs in ${data.path}`);
else {
  process.kill(pid, 'SIGTERM');
  await withProgress(`stopping the stack in ${data.path}`, async () => {
    while ((await findRunningStack(data)) === pid || (await isThere(pid))) await pause(50);
  });
  terminal.say('stopped');
}

/** The lock is released earlier. A zombie process has no command. */
async function isThere(process: number): Promise<boolean> {
  return (await commandOf(process)) !== '';
}
