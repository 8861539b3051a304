import { installClient } from '../../support/client/packed.ts';
import { writeExamples } from '../../support/client/readme.ts';
import { type Row, rowText } from '../interop/row.ts';
import { versionOf } from '../interop/tool-chains.ts';
import { findChromium } from '../support/chromium.ts';
import { openBenchStack } from '../support/stack.ts';
import { checkBrowser } from './browser.ts';
import { checkPython, installGenerator } from './python.ts';
import { checkRuntime, RUNTIMES, type Runtime } from './runtimes.ts';

process.exitCode = await main();

/** The client from its tarball in everything that it says it runs on, and one for Python beside it; 1 when a check failed. */
async function main(): Promise<number> {
  const rows: Row[] = [];
  const say = (row: Row) => {
    rows.push(row);
    console.log(rowText(row));
  };
  const notRun = (client: string, needs: string) =>
    say({ client, check: 'all', outcome: 'not run', seen: `it needs ${needs}` });
  await using installed = await installClient();
  const examples = await writeExamples(installed.folder);
  await using bench = await openBenchStack({ sample: true, signal: new AbortController().signal });
  const subscriber = (name: string) => ({
    gateway: bench.stack.addressOf('gateway'),
    apiKey: bench.stack.credentialOf(name),
  });
  for (const runtime of RUNTIMES) await runIn(runtime);
  const chromium = await findChromium();
  if (chromium === undefined) notRun('browser', 'Chromium (the Debian package chromium)');
  else await checkBrowser(say, chromium, installed.folder, subscriber('builder'));
  if (!(await installGenerator())) notRun('python', 'Python 3.11 or newer with venv, and the Python package index');
  else await checkPython(say, installed.folder, subscriber('builder'));
  const count = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  console.log(`${count('ok')} checks held, ${count('failed')} failed, ${count('not run')} were not run`);
  return count('failed') === 0 ? 0 : 1;

  async function runIn({ name, needs, find }: Runtime): Promise<void> {
    const command = await find();
    const version = command && (await versionOf(command[0] ?? '', '--version'));
    if (!command || version === undefined) return notRun(name, needs);
    console.log(`${name}: ${version}`);
    await checkRuntime(say, name, command, {
      folder: installed.folder,
      examples,
      subscriber: subscriber('professional'),
    });
  }
}
