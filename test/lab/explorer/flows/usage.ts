import { readFile } from 'node:fs/promises';
import type { Flow } from '../flow.ts';
import { enter, includes, same } from '../steps.ts';

export const USAGE_FLOWS: readonly Flow[] = [
  {
    name: 'usage: used, held and left add up, and the next unit has its time',
    async run(page, world) {
      const subscriber = await world.subscribe({ plan: 'builder' });
      await subscriber.search({ query: world.fixture.query, limit: 7 });
      await enter(page, world, subscriber.token, '/usage');
      const request = page.getByRole('region', { name: 'Request units' });
      for (const name of ['Rolling window of 5 hours', 'Rolling week', 'Period'])
        await request.getByRole('img', { name: new RegExp(`^${name}: 1 used, 0 reserved`) }).waitFor();
      await request.getByText('59 left of 60').waitFor();
      const delivered = page.getByRole('region', { name: 'Delivered units' });
      await delivered.getByRole('img', { name: /^Period: 7 used, 0 reserved/ }).waitFor();
      const next = await page.getByRole('region', { name: 'When units become available' }).innerText();
      // Whole minutes left of five hours that began some seconds ago.
      const [, back = ''] = /The oldest unit leaves the window in (4 h 59 min|5 h 0 min)/.exec(next) ?? [];
      if (back === '') throw new Error(`the next units: neither 4 h 59 min nor 5 h 0 min is in “${next}”`);
      return `1 of 60, 500 and 1,500 request units; 7 delivered; the window gives back in ${back}`;
    },
  },
  {
    name: 'usage: the statement is the usage report to the unit, and so are its files',
    async run(page, world) {
      const subscriber = await world.subscribe();
      const { query, hostnames } = world.fixture;
      await subscriber.search({ query, limit: 5 }, '=1+1');
      await subscriber.search({ query, limit: 2 });
      await subscriber.lookUp({ domains: [hostnames.found, hostnames.notFound] });
      await enter(page, world, subscriber.token, '/usage');
      await page.getByText('Entries, totals and usage report agree exactly.').waitFor();
      const proof = page.getByRole('table', { name: 'Sums of the statement' });
      same('the proof', (await proof.getByRole('row').allInnerTexts()).slice(1, 3).map(cells), [
        ['Request units', '3', '3', '3'],
        ['Delivered units', '8', '8', '8'],
      ]);
      const csv = await saved('Save as CSV');
      const lines = csv.trim().split('\r\n');
      same('lines of the CSV', lines.length, 4);
      includes('a key that a spreadsheet would run', csv, "'=1+1");
      const statement = JSON.parse(await saved('Save as JSON'));
      const { body } = await subscriber.report();
      same('totals of the JSON', statement.totals.delivered_units, body.usage.delivered_units);
      return '3 entries, 3 + 8 units on the screen, in CSV and in JSON';

      async function saved(button: string): Promise<string> {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: button }).click(),
        ]);
        return await readFile(await download.path(), 'utf8');
      }
    },
  },
];

function cells(row: string): string[] {
  return row.split(/\s*\t\s*/);
}
