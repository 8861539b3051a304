import type { Flow } from '../flow.ts';
import { enter, same, search, settled } from '../steps.ts';

export const COMPANY_FLOWS: readonly Flow[] = [
  {
    name: 'company: from a row for nothing, looked up at its price, its link free for the account alone',
    visit: { expected: [404] },
    async run(page, world) {
      const subscriber = await world.subscribe();
      await enter(page, world, subscriber.token);
      await page.getByLabel('Page size').fill('1');
      await search(page, world.fixture.plantQuery);
      const name = await page.getByRole('list', { name: 'Companies' }).getByRole('heading').innerText();
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.getByRole('table', { name: 'Sources of the evidence' }).getByText('source.example').waitFor();
      same('the ledger', await settled(subscriber), { request: 1, delivered: 1 });
      const before = page.url();
      await page.getByText('Costs 1 request unit and at most 1 delivered unit.').waitFor();
      await page.getByRole('button', { name: 'Look up again' }).click();
      await page.waitForURL((url) => url.href !== before);
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      same('the ledger', await settled(subscriber), { request: 2, delivered: 2 });
      await page.getByRole('button', { name: 'Copy link: this company' }).click();
      const link = await page.evaluate<string>('navigator.clipboard.readText()');
      same('the link', link, page.url());
      await page.reload();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      same('the ledger after a reload', await settled(subscriber), { request: 2, delivered: 2 });
      const other = await world.subscribe();
      const theirs = await page.context().newPage();
      await theirs.goto(link);
      await theirs.getByLabel('API key', { exact: true }).fill(other.token);
      await theirs.getByRole('button', { name: 'Use this key' }).click();
      await theirs.getByText('does not show this company to your account').waitFor();
      await theirs.getByRole('button', { name: 'Look up this company' }).waitFor();
      same('the ledger of the other account', await settled(other), { request: 0, delivered: 0 });
      return 'shown for nothing, looked up for 1 + 1, again for nothing; another account sees the price';
    },
  },
];
