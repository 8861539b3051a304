import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import type { Flow } from '../flow.ts';
import { enter, same, search, settled } from '../steps.ts';

const execute = promisify(execFile);

export const TAKEN_AWAY_FLOWS: readonly Flow[] = [
  {
    name: 'calls: the curl line runs as it was copied and is a replay; no call shows the API key',
    async run(page, world) {
      const subscriber = await world.subscribe();
      await enter(page, world, subscriber.token);
      await search(page, world.fixture.query);
      await page.getByText('Cost 1 request unit + 10 delivered units.').waitFor();
      await page.getByText('Show as an API call').click();
      const copied = await copy(page, 'curl');
      const { stdout } = await execute('sh', ['-c', copied], { env: { ...process.env, api_key: subscriber.token } });
      same('companies', JSON.parse(stdout).companies.length, 10);
      same('the ledger', await settled(subscriber), { request: 1, delivered: 10 });
      const others = [await copy(page, 'TypeScript'), await copy(page, 'MCP')];
      for (const text of [copied, ...others]) same('the key in it', text.includes(subscriber.token), false);
      return `${copied.split('\n').length} lines of curl, 10 companies, nothing charged`;
    },
  },
  {
    name: 'files: CSV and JSON Lines read back, and no cell is a formula',
    async run(page, world) {
      const subscriber = await world.subscribe();
      await enter(page, world, subscriber.token);
      await page.getByLabel('Page size').fill('50');
      await search(page, world.fixture.query);
      await page.getByRole('heading', { name: `${world.fixture.companies} companies for` }).waitFor();
      const rows: Record<string, string>[] = parse(await save(page, 'Save as CSV'), {
        columns: true,
        bom: true,
      });
      same('companies', new Set(rows.map((row) => row.company_id)).size, world.fixture.companies);
      const cells = rows.flatMap((row) => Object.values(row));
      same(
        'formulas',
        cells.filter((cell) => /^[=+\-@\t\r]/.test(cell)),
        [],
      );
      same(
        'the guarded name',
        rows.some((row) => row.company_name === `'${world.fixture.formula.name}`),
        true,
      );
      for (const column of ['source_uri', 'licence', 'excerpt']) same(column, column in (rows[0] ?? {}), true);
      const lines = (await save(page, 'Save as JSON Lines')).trimEnd().split('\n');
      const names = lines.map((line) => JSON.parse(line).name);
      same('names', names.includes(world.fixture.formula.name), true);
      return `${rows.length} rows, ${lines.length} lines`;
    },
  },
];

async function copy(page: Page, tab: string): Promise<string> {
  await page.getByRole('tab', { name: tab }).click();
  await page.getByRole('button', { name: /^Copy: / }).click();
  await page.getByRole('button', { name: /^Copied: / }).waitFor();
  return await page.evaluate<string>('navigator.clipboard.readText()');
}

async function save(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return await readFile(await download.path(), 'utf8');
}
