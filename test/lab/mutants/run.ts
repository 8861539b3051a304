import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readArguments } from '../support/arguments.ts';
import { MUTANTS } from './catalogue.ts';
import { copyTree } from './copy.ts';
import type { Mutant } from './mutant.ts';
import { mutate } from './mutate.ts';

const { positionals } = readArguments('npm run lab -- mutants [WORDS OF A NAME]', {});
const chosen = MUTANTS.filter(({ name }) => name.includes(positionals.join(' ')));

/** Enough of what the runner says to see why it ended although no test failed. */
const COMPLAINT_CHARACTERS = 4_000;

interface Verdict {
  readonly mutant: string;
  /** The first test that failed; undefined when all passed. */
  readonly killedBy: string | undefined;
}

process.exitCode = await main();

/** Each fault alone in a copy of the tree; before them the same tests without any, which must pass. */
async function main(): Promise<number> {
  await using copy = await copyTree();
  const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))];
  const failing = await firstFailure(copy.directory, tests);
  if (failing) {
    console.log(`without any fault: ${failing}`);
    return 2;
  }
  const verdicts: Verdict[] = [];
  for (const mutant of chosen) {
    const killedBy = await judge(copy.directory, mutant);
    verdicts.push({ mutant: mutant.name, killedBy });
    console.log(
      `${killedBy ? 'killed  ' : 'SURVIVED'}  ${mutant.name}${killedBy ? `\n            by: ${killedBy}` : ''}`,
    );
  }
  const survivors = verdicts.filter(({ killedBy }) => killedBy === undefined).length;
  console.log(`${verdicts.length} mutants, ${verdicts.length - survivors} killed, ${survivors} survived`);
  return survivors === 0 ? 0 : 1;
}

async function judge(directory: string, { file, change, tests }: Mutant): Promise<string | undefined> {
  const broken = path.join(directory, file);
  const sound = await readFile(broken, 'utf8');
  await writeFile(broken, mutate(sound, change));
  try {
    return await firstFailure(directory, tests);
  } finally {
    await writeFile(broken, sound);
  }
}

interface Report {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** The name of a test that fails; undefined when all pass. */
async function firstFailure(directory: string, tests: readonly string[]): Promise<string | undefined> {
  const output = path.join(directory, 'report.json');
  await rm(output, { force: true });
  const vitest = path.join(directory, 'node_modules/vitest/vitest.mjs');
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--bail', '1', '--reporter', 'json', '--outputFile', output, ...tests],
    { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-COMPLAINT_CHARACTERS);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code === 0) return undefined;
  const report = JSON.parse(await readFile(output, 'utf8')) as Report;
  const results = report.testResults.flatMap((file) => file.assertionResults);
  const failed = results.find(({ status }) => status === 'failed')?.fullName;
  return (
    failed ??
    report.testResults.find(({ message }) => message)?.message ??
    `the runner ended with code ${code}: ${complaint}`
  );
}
