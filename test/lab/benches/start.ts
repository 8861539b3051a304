import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { list } from '@ces/cli/output/table';
import { Refusal } from '@ces/cli/refusal';
import { readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';

const LAUNCHER = path.resolve(import.meta.dirname, '../../../deploy/local/bin/run.mjs');

const { values: options } = readArguments('npm run lab -- start [--json FILE]', { json: { type: 'string' } });

await runBenchmark(measure, options.json);

/** Starts a stack in a new folder, stops it and starts it again, as `npm start -- --detach` does, packages installed. */
async function measure(signal: AbortSignal): Promise<Figures> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-start-'));
  await chmod(directory, 0o711);
  const launch = (...parameters: string[]) => secondsOf(parameters, directory);
  try {
    const first = await launch('start', '--detach', '--port', '0');
    const stop = await launch('stop');
    goOn(signal);
    const second = await launch('start', '--detach', '--port', '0');
    return {
      json: { first_start_seconds: first, stop_seconds: stop, second_start_seconds: second },
      text: list([
        ['first start', `${first.toFixed(1)} s`],
        ['stop', `${stop.toFixed(1)} s`],
        ['second start', `${second.toFixed(1)} s`],
      ]),
    };
  } finally {
    await launch('stop').catch(() => undefined);
    await rm(directory, { recursive: true, force: true });
  }
}

async function secondsOf(parameters: readonly string[], directory: string): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, [LAUNCHER, ...parameters], {
    env: { ...process.env, CES_DATA_DIR: directory },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Refusal(`npm run ${parameters[0]} ended with code ${code}.`);
  return (performance.now() - begun) / 1000;
}
