import { readFile } from 'node:fs/promises';
import type { Tools } from './build/programs.ts';
import { Report } from './report.ts';
import { tryEngine } from './rows/engine.ts';

/** What `main.ts` hands to the machine within. */
export interface Work {
  readonly tools: Tools;
  /** Receives the rows. */
  readonly json?: string | undefined;
}

const [file = ''] = process.argv.slice(2);
process.exitCode = await main(JSON.parse(await readFile(file, 'utf8')) as Work);

async function main({ tools, json }: Work): Promise<number> {
  const report = new Report();
  process.env.PATH = `${tools.bin}:${process.env.PATH}`;
  await tryEngine(tools.probe, report);
  if (json !== undefined) await report.write(json);
  return report.faults === 0 ? 0 : 1;
}
