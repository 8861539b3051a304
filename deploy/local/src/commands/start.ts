import { once } from 'node:events';
import path from 'node:path';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { ConfigurationError } from '@ces/chassis/service/settings';
import { REPOSITORY } from '@ces/topology/services';
import { withProgress } from '../../bin/progress.mjs';
import { startStack } from '../stack/stack.ts';
import { dataDirectory } from '../state/data-directory.ts';
import { isLive, refuseSample } from '../state/live-data.ts';
import { greeting } from './greeting.ts';
import { reporter, terminal } from './output.ts';
import { readSources } from './read-sources.ts';
import { startDetached } from './start-detached.ts';
import { type CommandLine, parseCommandLine, USAGE } from './start-options.ts';

const parameters = process.argv.slice(2);
/** Whether a waiting process shows what this one reports. */
const isInner = parameters.includes('--report');
const output = isInner ? reporter() : terminal;
let isReady = false;

// The stack must survive a closed output pipe.
process.stdout.on('error', () => undefined);

main().catch((error: unknown) => {
  output.fail(describe(error));
  process.exit(1);
});

async function main(): Promise<void> {
  const options = parseCommandLine(parameters);
  const directory = path.resolve(process.env.CES_DATA_DIR || path.join(REPOSITORY, '.local'));
  if (!options) return output.say(USAGE);
  if (options.live && !isInner) await prepareLive(directory, options.fresh);
  if (options.detach) await startDetached(directory, parameters, options.live);
  else await run(directory, options);
}

/** Asks before anything starts, since keys of sources are settings of a service. */
async function prepareLive(directory: string, isFresh: boolean): Promise<void> {
  const data = dataDirectory(directory);
  if (!isFresh) await refuseSample(data);
  if (process.env.CES_SOURCE_SECRETS || (!isFresh && (await isLive(data)))) return;
  const { askSourceApiKeys } = await import('./ask-source-api-keys.ts');
  process.env.CES_SOURCE_SECRETS = await askSourceApiKeys();
}

async function run(directory: string, options: CommandLine): Promise<void> {
  const begun = performance.now();
  const closing = new AbortController();
  onEnd(() => closing.abort());
  const stack = await startStack({
    ...options,
    dataDirectory: directory,
    env: { ...process.env, ...options.settings },
    say: output.say,
    signal: closing.signal,
  }).catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
    return undefined;
  });
  if (stack && !closing.signal.aborted) {
    output.ready(greeting(stack, (performance.now() - begun) / 1000, directory));
    isReady = true;
    if (options.live && !isInner)
      readSources(directory, [], closing.signal).catch((error: unknown) => output.fail(describe(error)));
    await Promise.race([once(closing.signal, 'abort'), once(stack.lost, 'abort')]);
    if (stack.lost.aborted) output.say(`${directory} was removed or replaced`);
  }
  await withProgress('stopping', async () => await stack?.[Symbol.asyncDispose](), output.say);
  output.say('stopped');
  process.exit(stack?.lost.aborted ? 1 : 0);
}

/** The waiting process' exit also ends the stack, unless a detached start is ready. */
function onEnd(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  process.on('disconnect', () => {
    if (!(isReady && isInner)) end();
  });
}

function describe(error: unknown): string {
  if (error instanceof StartupError || error instanceof ConfigurationError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
