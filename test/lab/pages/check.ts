import { parseArgs } from 'node:util';
import { findChromium, startChromium } from '../support/chromium.ts';
import { type Row, rowText } from '../support/row.ts';
import { openBenchStack } from '../support/stack.ts';
import { checkDocs } from './docs.ts';
import { checkKeyboard } from './keyboard.ts';
import { checkLooks } from './looks.ts';
import { checkReference } from './reference.ts';

const { values } = parseArgs({
  options: { stack: { type: 'string' }, screenshots: { type: 'string' }, only: { type: 'string' } },
});

process.exitCode = await main();

/**
 * Checks every page in a real browser: schemes, widths, axe, policy, keyboard. Returns 1 if a check
 * failed.
 */
async function main(): Promise<number> {
  const program = await findChromium();
  if (program === undefined) {
    console.error('The pages need Chromium (the Debian package chromium).');
    return 1;
  }
  const rows: Row[] = [];
  const say = (row: Row) => {
    rows.push(row);
    console.log(rowText(row));
  };
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort(new Error('interrupted')));
  await using bench = await openBenchStack({ directory: values.stack, sample: true, signal: ending.signal });
  await using browser = await startChromium(program);
  const origin = bench.stack.addressOf('gateway');
  const paths = (await pagesOf(origin)).filter((path) => values.only === undefined || path === values.only);
  for (const path of paths) {
    await checkLooks(say, { browser, origin, path, screenshots: values.screenshots });
    await checkKeyboard(say, { browser, origin, path });
  }
  await checkDocs(say, { browser, origin, apiKey: bench.stack.credentialOf('builder') });
  await checkReference(say, { browser, origin, apiKey: bench.stack.credentialOf('builder') });
  const count = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  console.log(`${count('ok')} checks held, ${count('failed')} failed`);
  return count('failed') === 0 ? 0 : 1;
}

async function pagesOf(origin: string): Promise<readonly string[]> {
  const list = await (await fetch(`${origin}/llms.txt`)).text();
  const guides = [...list.matchAll(/\/docs\/[a-z-]+(?=\.md)/g)].map(([path]) => path);
  return ['/', '/docs', ...guides, '/docs/reference', '/sources'];
}
