import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { dataDirectory, logFile, makeDataDirectory } from '../state/data-directory.ts';
import { type Report, terminal } from './output.ts';

export async function startDetached(directory: string, parameters: readonly string[]): Promise<void> {
  const data = dataDirectory(directory);
  await makeDataDirectory(data);
  const log = await open(await logFile(data, 'stack'), 'a', 0o600);
  const program = path.join(import.meta.dirname, 'start.ts');
  const inner = [...parameters.filter((one) => one !== '--detach'), '--report'];
  const child = spawn(process.execPath, [program, ...inner], {
    detached: true,
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  });
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(event, () => child.kill('SIGTERM'));
  const ready = new Promise<void>((resolve, reject) => {
    let failure = `the stack stopped before it was ready: see ${data.logs}/stack.log.`;
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new StartupError(failure))));
    child.on('message', (report: Report) => {
      if ('fail' in report) failure = report.fail;
      if ('say' in report) terminal.say(report.say);
      if ('ready' in report) {
        terminal.ready(`${report.ready}\nThe stack runs in the background. Stop it with npm run stop.`);
        resolve();
      }
    });
  });
  await Promise.all([ready, log.close()]);
  if (child.connected) child.disconnect();
  child.unref();
  process.exit(0);
}
