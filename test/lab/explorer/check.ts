import { mkdir, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readArguments } from '../support/arguments.ts';
import { findChromium } from '../support/chromium.ts';
import { runFlow } from './flow.ts';
import { FLOWS } from './flows.ts';
import { lookAt } from './look.ts';
import { SCREENS } from './screens.ts';
import { builtSize } from './size.ts';
import { describeTimes, measureTimes } from './times.ts';
import { openWorld, type World } from './world.ts';

const text = { type: 'string' } as const;
const { values } = readArguments(
  'npm run lab -- explorer [--only WORDS] [--stack DATA_DIRECTORY] [--pictures FOLDER]',
  {
    only: text,
    stack: text,
    pictures: text,
  },
);

const MOST_BYTES = 200_000;
const ROUNDS = 9;

process.exitCode = await main();

/**
 * Checks flows, pictures and figures of the explorer in a real browser on a real stack. Returns 1
 * if a check fails.
 */
async function main(): Promise<number> {
  const program = await findChromium();
  if (program === undefined) {
    process.stderr.write('There is no chromium on the path, and nothing was tried: apt-get install chromium\n');
    return 2;
  }
  const folder = values.pictures ?? (await mkdtemp(path.join(os.tmpdir(), 'ces-explorer-pictures-')));
  await mkdir(folder, { recursive: true });
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  await using world = await openWorld(program, { directory: values.stack, signal: interrupted.signal });
  console.log(`Chromium ${world.browser.version()}, pictures in ${folder}`);
  const faults = (await runFlows(world, folder)) + (await lookAround(world, folder)) + (await figures(world));
  console.log(faults === 0 ? 'everything is as it should be' : `${faults} faults`);
  return faults === 0 ? 0 : 1;
}

function isAsked(name: string): boolean {
  return values.only === undefined || name.includes(values.only);
}

async function runFlows(world: World, folder: string): Promise<number> {
  let failed = 0;
  for (const flow of FLOWS) if (isAsked(flow.name) && !(await runFlow(world, flow, folder))) failed += 1;
  return failed;
}

async function lookAround(world: World, folder: string): Promise<number> {
  let failed = 0;
  for (const screen of SCREENS) {
    if (!isAsked(screen.name)) continue;
    const faults = await lookAt(world, screen, folder);
    failed += faults.length;
    for (const fault of faults) console.log(`FAULT   ${fault}`);
    if (faults.length === 0)
      console.log(`ok      ${screen.name}: in three widths and two schemes, nothing that axe finds`);
  }
  return failed;
}

/** Prints times without judging them, because they depend on the machine. Judges sizes. */
async function figures(world: World): Promise<number> {
  if (!isAsked('figures')) return 0;
  const times = await measureTimes(world, ROUNDS);
  console.log(`load of the machine ${os.loadavg()[0]?.toFixed(1)}, ${os.availableParallelism()} processors`);
  console.log(describeTimes('first content', times.firstContent, 1000));
  console.log(describeTimes('from a search’s answer to its drawing', times.drawn, 150));
  const { brotli, gzip, files } = await builtSize();
  console.log(`${files} scripts and styles: ${brotli} bytes in brotli, ${gzip} in gzip (at most ${MOST_BYTES})`);
  return brotli <= MOST_BYTES ? 0 : 1;
}
