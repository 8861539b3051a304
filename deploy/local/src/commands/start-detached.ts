import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { dataDirectory, logFile, makeDataDirectory } from '../state/data-directory.ts';
import { type Report, terminal } from './output.ts';
import { readSources } from './read-sources.ts';

const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'];

export async function startDetached(directory: string, parameters: readonly string[], isLive: boolean): Promise<void> {
  const data = dataDirectory(directory);
  await makeDataDirectory(data);
  const log = await open(await logFile(data, 'stack'), 'a', 0o600);
  const program = path.join(import.meta.dirname, 'start.ts');
  const inner = [...parameters.filter((one) => one !== '--detach'), '--report'];
  const child = spawn(process.execPath, [program, ...inner], {
    detached: true,
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  });
  const stop = () => child.kill('SIGTERM');
  for (const event of EVENTS) process.on(event, stop);
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
  process.exit(isLive ? await watchSources(directory, stop) : 0);
}

/** The stack is ready, so a signal now ends only the watching. */
async function watchSources(directory: string, stop: () => void): Promise<number> {
  const closing = new AbortController();
  for (const event of EVENTS) process.off(event, stop).on(event, () => closing.abort());
  return await readSources(directory, ['--until-searchable'], closing.signal);
}
