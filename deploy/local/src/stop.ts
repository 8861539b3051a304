import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { during } from '../bin/progress.mjs';
import { dataDirectory } from './data-directory.ts';
import { terminal } from './output.ts';
import { REPOSITORY } from './services.ts';
import { findRunningStack } from './stack-lock.ts';

const data = dataDirectory(process.env.CES_DATA_DIR || path.join(REPOSITORY, '.local'));
const pid = await findRunningStack(data);

if (pid === undefined) terminal.say(`no stack runs in ${data.path}`);
else {
  process.kill(pid, 'SIGTERM');
  await during(`stopping the stack in ${data.path}`, async () => {
    while ((await findRunningStack(data)) !== undefined) await pause(50);
  });
  terminal.say('stopped');
}
