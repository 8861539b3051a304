import type { Flow } from '../flow.ts';
import { enter, same, search, settled } from '../steps.ts';

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
      await page.getByLabel('Search the loaded operations').fill('PLANTS');
      await page.getByText('1 of 2 loaded operations match.').waitFor();
      const row = table.getByRole('row', { name: /first-plants/ });
      same('the row', (await row.getByRole('cell').allInnerTexts()).slice(1, 5), ['Delivered', '1', '3', '0']);
      await page.getByLabel('Search the loaded operations').fill('');
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
          .nth(1);
      await page.getByRole('row', { name: /takes-long/ }).waitFor();
      same('the failed one', await state('fails').innerText(), 'Failed');
      same('the slow one', /Pending|Processing/.test(await state('takes-long').innerText()), true);
      await state('takes-long').getByText('Delivered').waitFor({ timeout: SLOW_MS });
      await page.getByRole('row', { name: /fails/ }).getByRole('link').click();
      await page.getByText('This operation failed. Nothing was charged.').waitFor();
      await page.getByText('planning_unavailable').waitFor();
      same('what is said of a replay', await page.getByText('Replayed just now').count(), 0);
      return 'from under way to delivered without a reload; planning_unavailable explained';
    },
  },
  {
    name: 'operations: older ones are loaded on demand',
    async run(page, world) {
      const subscriber = await world.subscribe();
      for (let at = 0; at < PAGE + 2; at += 1) await subscriber.request('POST', '/api/diagnostics', { key: `d-${at}` });
      await enter(page, world, subscriber.token, '/operations');
      await page.getByText(`${PAGE} operations loaded. You can load older ones.`).waitFor();
      await page.getByRole('button', { name: 'Load older operations' }).click();
      await page.getByText(`${PAGE + 2} operations loaded.`, { exact: true }).waitFor();
      return `${PAGE}, then ${PAGE + 2}`;
    },
  },
  {
    name: 'operations: a replay says what is withheld, and the bill stays',
    async run(page, world) {
      const subscriber = await world.subscribe();
      const { hostname, withdraw } = world.fixture.fading;
      await subscriber.lookUp({ domains: [hostname] }, 'while-it-was-there');
      await withdraw();
      await enter(page, world, subscriber.token, '/operations');
      await page
        .getByRole('row', { name: /while-it-was-there/ })
        .getByRole('link')
        .click();
      await page.getByText('1 company is withheld from this result.').waitFor();
      await page
        .getByRole('row', { name: new RegExp(hostname) })
        .getByText('Unavailable')
        .waitFor();
      same('the ledger', await settled(subscriber), { request: 1, delivered: 1 });
      return 'one company withheld, found is unavailable now, 1 + 1 as it was';
    },
  },
  {
    name: 'observation: reached from a card, every field and its evidence, for nothing; on to its company at a price',
    async run(page, world) {
      const subscriber = await world.subscribe();
      await enter(page, world, subscriber.token);
      await page.getByLabel('Page size').fill('1');
      await search(page, world.fixture.plantQuery);
      await page.getByRole('button', { name: /^Details of / }).click();
      await page
        .getByRole('article')
        .getByRole('link', { name: /smelter opens line/ })
        .click();
      const article = page.getByRole('article', { name: /smelter opens line/ });
      for (const text of ['Facility expansion', 'Proxy', 'Canada', '0.90'])
        await article.getByText(text, { exact: true }).waitFor();
      await article.getByText('https://source.example/').waitFor();
      same('the ledger', await settled(subscriber), { request: 1, delivered: 1 });
      await page
        .getByRole('link', { name: /^Look up / })
        .last()
        .click();
      await page.getByRole('heading', { name: /^Company \d+$/ }).waitFor();
      await page.getByText('Costs 1 request unit and at most 1 delivered unit.').waitFor();
      same('the ledger before the look-up', await settled(subscriber), { request: 1, delivered: 1 });
      return 'kind, class, country, confidence and source; its company for 1 + 1';
    },
  },
];

const PAGE = 50;
/** `sandbox:slow` takes half a minute. */
const SLOW_MS = 60_000;
