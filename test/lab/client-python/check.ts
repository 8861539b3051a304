import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readArguments } from '../support/arguments.ts';
import { makeCheck, type Row, rowText, type Say } from '../support/row.ts';
import { checkExamples } from './examples.ts';
import { checkContents, type Packed, packClient } from './packed.ts';
import { CLIENT, type Environment, findPythons, makeEnvironment, NotInstalled, type Python } from './pythons.ts';
import { checkGenerated, generateClient } from './tools.ts';
import { startWorld, type World } from './world.ts';

const { values } = readArguments('npm run lab -- client-python [--generate]', { generate: { type: 'boolean' } });

process.exitCode = await main();

/**
 * Checks the Python client with each Python on the path, against a stack. Returns 1 if a check
 * failed. `--generate` only writes the generated files.
 */
async function main(): Promise<number> {
  const pythons = await findPythons();
  const [newest] = pythons;
  if (!newest) return notRun('there is no Python 3.11 or newer with venv on the path');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-client-python-'));
  try {
    const tools = await makeEnvironment(newest, path.join(folder, 'tools'), ['-r', 'requirements-dev.txt', CLIENT]);
    if (!values.generate) return await checkAll(folder, tools, pythons);
    await generateClient(tools);
    return 0;
  } catch (error) {
    if (error instanceof NotInstalled) return notRun(error.message);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function notRun(reason: string): number {
  console.log(`NOT RUN: the Python client was not checked, since ${reason}.`);
  return values.generate ? 1 : 0;
}

async function checkAll(folder: string, tools: Environment, pythons: readonly Python[]): Promise<number> {
  const rows: Row[] = [];
  const say = (row: Row) => {
    rows.push(row);
    console.log(rowText(row));
  };
  await checkSources(say, tools);
  const packed = await packClient(tools, path.join(folder, 'packed'));
  await makeCheck(say, 'package', 'wheel and sdist have the client and nothing else', () => checkContents(packed));
  await using world = await startWorld(folder, pythons.length);
  for (const [at, python] of pythons.entries())
    await checkPython(say, python, { folder: path.join(folder, python.version), packed, world, at, tools });
  const failed = rows.filter(({ outcome }) => outcome === 'failed').length;
  console.log(
    `${rows.length - failed} checks held, ${failed} failed, with Python ${pythons.map(versionOf).join(', ')}`,
  );
  return failed === 0 ? 0 : 1;
}

async function checkSources(say: Say, tools: Environment): Promise<void> {
  await makeCheck(say, 'sources', 'generated files are up to date', () => checkGenerated(tools));
  for (const [program = '', ...parameters] of [['ruff', 'check', '.'], ['ruff', 'format', '--check', '.'], ['mypy']])
    await makeCheck(say, 'sources', [program, ...parameters].join(' '), async () => {
      const { stdout } = await tools.run(program, parameters, { cwd: CLIENT });
      return stdout;
    });
}

interface Trial {
  readonly folder: string;
  readonly packed: Packed;
  readonly world: World;
  readonly at: number;
  readonly tools: Environment;
}

async function checkPython(say: Say, python: Python, trial: Trial): Promise<void> {
  const { folder, packed, world, at, tools } = trial;
  const name = `py ${python.version}`;
  const installed = await makeEnvironment(python, path.join(folder, 'wheel'), [packed.wheel]);
  await makeCheck(say, name, 'the wheel and the sdist install into empty environments', async () => {
    const fromSource = await makeEnvironment(python, path.join(folder, 'sdist'), [packed.sdist]);
    await fromSource.run('python', ['-c', 'import ces_client']);
    return (await installed.run('pip', ['freeze'])).stdout;
  });
  await makeCheck(say, name, 'every example of the README runs and is typed', () =>
    checkExamples(installed, tools, path.join(folder, 'examples'), world.subscriber(at)),
  );
  await installed.install('pytest');
  await makeCheck(say, name, 'the tests hold, with the gateway', async () => {
    const env = { CES_TEST_WORLD: await world.write(at) };
    const { stdout } = await installed.run('pytest', ['-p', 'no:cacheprovider'], { cwd: CLIENT, env });
    const closing = stdout.trim().split('\n').at(-1) ?? '';
    if (closing.includes('skipped')) throw new Error(closing);
    return closing;
  });
}

function versionOf({ version }: Python): string {
  return version;
}
