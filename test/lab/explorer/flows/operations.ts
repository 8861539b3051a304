import type { Flow } from '../flow.ts';
import { enter, same, settled } from '../steps.ts';

/** An account's own operations, one observation. */
export const OPERATION_FLOWS: readonly Flow[] = [
  {
    name: 'operations: listed with units and state, searched, narrowed and replayed for nothing',
    async run(page, world) {
      const subscriber = await world.subscribe();
      const { query, hostnames, plant } = world.fixture;
      await subscriber.search({ query, limit: 3 }, 'first-plants');
      await subscriber.lookUp({ domains: [hostnames.found] }, 'who-is-it');
      await enter(page, world, subscriber.token, '/operations');
      await page.getByText('2 operations loaded.').waitFor();
      const table = page.getByRole('table');
      await page.getByLabel('Search in what is loaded').fill('PLANTS');
      await page.getByText('1 of 2 loaded operations match.').waitFor();
      const row = table.getByRole('row', { name: /first-plants/ });
      same('the row', (await row.getByRole('cell').allInnerTexts()).slice(2, 6), ['Delivered', '1', '3', '0']);
      await page.getByLabel('Search in what is loaded').fill('');
      await page.getByLabel('Action').selectOption('company_lookup');
      await page.getByText('1 operation loaded.').waitFor();
      await table
        .getByRole('row', { name: /who-is-it/ })
        .getByRole('link')
        .click();
      await page.getByRole('article').getByText(plant.name).first().waitFor();
      same('the ledger', await settled(subscriber), { request: 2, delivered: 4 });
      await page.goBack();
      await page.getByLabel('Action').selectOption('company_search');
      await table
        .getByRole('row', { name: /first-plants/ })
        .getByRole('link')
        .click();
      await page.getByText('3 companies, as of').waitFor();
      same('the ledger after two replays', await settled(subscriber), { request: 2, delivered: 4 });
      return 'two operations, found by request key and by action, replayed with their results';
    },
  },
  {
    name: 'operations: one that is under way is followed, one that failed says why',
    visit: { expected: [422] },
    async run(page, world) {
      const subscriber = await world.subscribe({ testMode: true, plan: 'builder' });
      await subscriber.search({ query: 'sandbox:planning_unavailable' }, 'fails');
      await subscriber.search({ query: 'sandbox:slow', background: true }, 'takes-long');
      await enter(page, world, subscriber.token, '/operations');
      const state = (key: string) =>
        page
          .getByRole('row', { name: new RegExp(key) })
          .getByRole('cell')
          .nth(2);
      await page.getByRole('row', { name: /takes-long/ }).waitFor();
      same('the failed one', await state('fails').innerText(), 'Failed');
      same('the slow one', /Pending|Processing/.test(await state('takes-long').innerText()), true);
      await state('takes-long').getByText('Delivered').waitFor({ timeout: SLOW_MS });
      await page.getByRole('row', { name: /fails/ }).getByRole('link').click();
      await page.getByText('This operation failed, and nothing was charged for it.').waitFor();
      await page.getByText('planning_unavailable').waitFor();
      return 'from under way to delivered without a reload; planning_unavailable explained';
    },
  },
  {
    name: 'observation: every field and its evidence, for nothing',
    async run(page, world) {
      const subscriber = await world.subscribe();
      const { plant } = world.fixture;
      await enter(page, world, subscriber.token, `/observations/${plant.observationId}`);
      const article = page.getByRole('article').filter({ hasText: plant.name }).last();
      for (const text of ['Facility expansion', 'Proxy', 'Canada', '0.90', 'https://source.example/'])
        await article
          .getByText(text, { exact: text !== 'https://source.example/' })
          .first()
          .waitFor();
      same('the ledger', await settled(subscriber), { request: 0, delivered: 0 });
      return 'kind, class, country, confidence and source';
    },
  },
];

/** `sandbox:slow` takes half a minute. */
const SLOW_MS = 60_000;
