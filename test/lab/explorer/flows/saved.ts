import { readFile } from 'node:fs/promises';
import type { Flow } from '../flow.ts';
import { enter, same, search, settled } from '../steps.ts';

export const SAVED_FLOWS: readonly Flow[] = [
  {
    name: 'saved: a search is kept without keys, moved as a file, and a later day asks only for what is new',
    async run(page, world) {
      const subscriber = await world.subscribe();
      const { news } = world.fixture;
      await enter(page, world, subscriber.token);
      await search(page, news.query);
      await page.getByRole('heading', { name: /^2 companies for/ }).waitFor();
      await page.getByRole('button', { name: 'Save this search' }).click();
      await page.getByLabel('Name of the search').fill('Kilns');
      await page.getByRole('button', { name: 'Save in this browser' }).click();
      await page.getByRole('link', { name: 'Kilns' }).click();
      const stored = await page.evaluate<string>('JSON.stringify({ ...localStorage })');
      same('the key in the browser', stored.includes(subscriber.token), false);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save all as a file' }).click(),
      ]);
      const file = await download.path();
      same('the file', JSON.parse(await readFile(file, 'utf8')).searches[0].name, 'Kilns');
      await page.getByRole('button', { name: 'Remove Kilns' }).click();
      await page.getByText('Nothing is saved yet.').waitFor();
      await page.getByLabel('Add from a file').setInputFiles(file);
      await page.getByText('1 search added.').waitFor();
      await news.collect();
      await page.getByText('At most 1 request unit + 10 delivered units.').waitFor();
      await page.getByRole('button', { name: 'What is new' }).click();
      await page.getByRole('heading', { name: /^1 company for/ }).waitFor();
      await page.getByRole('list', { name: 'Companies' }).getByText(news.name).first().waitFor();
      same('the ledger', await settled(subscriber), { request: 2, delivered: 3 });
      await page.getByText('Saved as').waitFor();
      return 'two companies, then only the third: 2 + 3 units; no key in the browser';
    },
  },
];
