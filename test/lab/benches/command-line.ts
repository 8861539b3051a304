import { execFile } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { table } from '@ces/cli/output/table';
import { loadedModules } from '@ces/cli/test-support/loaded-modules';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { percentile } from '../support/figures.ts';
import { openBenchStack } from '../support/stack.ts';

const USAGE = 'npm run lab -- command-line [--runs N] [--json FILE] [--stack DATA_DIRECTORY]';
const RUNS = 20;
const ROOT = path.resolve(import.meta.dirname, '../../..');
const CES = path.join(ROOT, 'deploy/cli/bin/ces.mjs');
const execute = promisify(execFile);

const { values: options } = readArguments(USAGE, {
  runs: { type: 'string' },
  json: { type: 'string' },
  stack: { type: 'string' },
});

await runBenchmark(measure, options.json);

/** A command line, and what it is called in the table. */
interface Case {
  readonly name: string;
  readonly command: readonly [file: string, ...parameters: string[]];
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs each command line in turn, so that a load of the machine meets all of them; the first turn only warms up. */
async function measure(signal: AbortSignal): Promise<Figures> {
  const runs = atLeastOne(options.runs, RUNS);
  await using bench = await openBenchStack({ directory: options.stack, sample: true, signal });
  const { stack } = bench;
  const env = { CES_GATEWAY_URL: stack.addressOf('gateway'), CES_TOKEN: stack.credentialOf('builder') };
  const cases = casesOf(env);
  const times = new Map(cases.map(({ name }) => [name, [] as number[]]));
  for (let turn = 0; turn <= runs; turn += 1)
    for (const { name, command, env } of cases) {
      goOn(signal);
      const elapsed = await millisecondsOf(command, env);
      if (turn > 0) times.get(name)?.push(elapsed);
    }
  const load = os.loadavg()[0] ?? 0;
  const rows = [];
  for (const { name, command, env } of cases) {
    const [median, least] = [0.5, 0].map((share) => Math.round(percentile(times.get(name) ?? [], share)));
    const modules = command[1] === CES ? (await loadedModules(command.slice(2), env ?? {})).length : undefined;
    rows.push({ command: name, median_ms: median, least_ms: least, modules });
  }
  const cells = rows.map(({ command, median_ms, least_ms, modules }) => [command, median_ms, least_ms, modules]);
  return {
    json: { runs, load, rows },
    text: `${table(['command', 'median ms', 'least ms', 'modules'], cells)}\n\n${runs} runs each, load ${load.toFixed(1)}`,
  };
}

function casesOf(env: NodeJS.ProcessEnv): readonly Case[] {
  const ces = (...parameters: string[]): Case['command'] => [process.execPath, CES, ...parameters];
  return [
    { name: 'node -e 0', command: [process.execPath, '-e', '0'] },
    { name: 'ces --version', command: ces('--version') },
    { name: 'ces --help', command: ces('--help') },
    { name: 'ces usage', command: ces('usage'), env },
    {
      name: 'ces usage, nothing kept compiled',
      command: ces('usage'),
      env: { ...env, NODE_DISABLE_COMPILE_CACHE: '1' },
    },
    { name: 'npx ces usage', command: ['npx', 'ces', 'usage'], env },
    { name: 'npx -c true', command: ['npx', '-c', 'true'] },
  ];
}

async function millisecondsOf([file, ...parameters]: Case['command'], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const begun = performance.now();
  await execute(file, parameters, { cwd: ROOT, env: { ...process.env, ...env } });
  return performance.now() - begun;
}
