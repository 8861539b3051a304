import type { Subscriber } from '../../support/subscriber.ts';
import type { Screen } from './look.ts';
import { enter, search } from './steps.ts';
import type { World } from './world.ts';

/** All screenshots show the same account, which has some history. */
const accounts = new WeakMap<World, Promise<Subscriber>>();

function accountOf(world: World): Promise<Subscriber> {
  const known = accounts.get(world) ?? makeAccount(world);
  accounts.set(world, known);
  return known;
}

async function makeAccount(world: World): Promise<Subscriber> {
  const subscriber = await world.subscribe();
  const { query, hostnames } = world.fixture;
  await subscriber.search({ query, limit: 7 }, 'quartz-1');
  await subscriber.search({ query: 'cold storage companies opening a warehouse', limit: 5 }, 'plants-1');
  await subscriber.search({ query: 'startups that raised a Series B', limit: 3 }, 'money-1');
  await subscriber.lookUp({ domains: Object.values(hostnames) }, 'who-1');
  return subscriber;
}

export const SCREENS: readonly Screen[] = [
  {
    name: 'key-entry',
    async show(page, world) {
      await page.goto(`${world.baseUrl}/explore`);
      await page.getByLabel('API key', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Use the builder key' }).waitFor();
    },
  },
  {
    name: 'search-start',
    async show(page, world) {
      await enter(page, world, (await accountOf(world)).token);
      await page.getByText(/^You have /).waitFor();
    },
  },
  {
    name: 'search',
    async show(page, world) {
      await enter(page, world, (await accountOf(world)).token);
      await search(page, 'cold storage companies opening a warehouse');
      await page.getByRole('button', { name: 'Next page' }).waitFor();
    },
  },
  {
    name: 'search-row',
    async show(page, world) {
      await enter(page, world, (await accountOf(world)).token);
      await search(page, 'cold storage companies in Canada opening a warehouse since 2025');
      await page.getByRole('button', { name: 'Next page' }).waitFor();
      await page
        .getByRole('button', { name: /^Details of / })
        .first()
        .click();
      await page.getByText(/^Partial: /).click();
      if (await page.getByLabel('Order').isHidden()) await page.getByText('Sort and narrow for free').click();
    },
  },
  {
    name: 'company',
    async show(page, world) {
      await enter(page, world, (await accountOf(world)).token);
      await search(page, 'cold storage companies opening a warehouse');
      const companies = page.getByRole('list', { name: 'Companies' });
      await companies.getByRole('heading').first().getByRole('link').click();
      await page.getByRole('table', { name: 'Sources of the evidence' }).waitFor();
    },
  },
  {
    name: 'company-price',
    async show(page, world) {
      await enter(page, world, (await accountOf(world)).token, '/companies/1');
      await page.getByRole('button', { name: 'Look up this company' }).waitFor();
    },
  },
  {
    name: 'saved',
    async show(page, world) {
      await enter(page, world, (await accountOf(world)).token);
      await search(page, 'hiring electricians');
      await page.getByRole('button', { name: 'Save this search' }).click();
      await page.getByRole('button', { name: 'Save in this browser' }).click();
      await page.getByRole('link', { name: 'hiring electricians' }).click();
      await page.getByRole('button', { name: 'Rename' }).click();
    },
  },
  {
    name: 'shared-link',
    async show(page, world) {
      await page.goto(`${world.baseUrl}/explore/operations/1`);
      await page.getByRole('heading', { name: 'Your key opens this link' }).waitFor();
      await page.getByRole('button', { name: 'Use the builder key' }).waitFor();
    },
  },
  {
    name: 'operation-unknown',
    expected: [404],
    async show(page, world) {
      await enter(page, world, (await accountOf(world)).token, '/operations/999999');
      await page.getByRole('heading', { name: 'No operation 999999' }).waitFor();
    },
  },
  {
    name: 'search-empty',
    async show(page, world) {
      await enter(page, world, (await accountOf(world)).token);
      await search(page, '"words that nobody wrote"');
      await page.getByText('No company with evidence was found.').waitFor();
    },
  },
  {
    name: 'search-pending',
    async show(page, world) {
      await enter(page, world, world.credentialOf('sandbox'));
      await page.getByLabel('What are the companies doing?').waitFor();
      if (await page.getByRole('switch').isHidden()) await page.getByText('Filters and size').click();
      await page.getByRole('switch').check();
      await search(page, 'sandbox:slow');
      await page.getByText(/^Operation \d+ is running\.$/).waitFor();
    },
  },
  {
    name: 'search-limit',
    expected: [429],
    async show(page, world) {
      await enter(page, world, world.credentialOf('sandbox'));
      await search(page, 'sandbox:limit_reached');
      await page.getByText('You can try again in').waitFor();
    },
  },
  {
    name: 'look-up',
    async show(page, world) {
      await enter(page, world, (await accountOf(world)).token, '/look-up');
      const { found, notFound, ambiguous, unavailable } = world.fixture.hostnames;
      const text = ['www.alder.example', found, notFound, ambiguous, unavailable, found].join('\n');
      await page.getByLabel('Domains or company ids').fill(text);
      await page.getByRole('button', { name: 'Look up 5 domains' }).click();
      await page.getByText(/^It cost /).waitFor();
    },
  },
  {
    name: 'observation',
    async show(page, world) {
      const { observationId, name } = world.fixture.plant;
      await enter(page, world, (await accountOf(world)).token, `/observations/${observationId}`);
      await page.getByRole('link', { name: `Look up ${name}` }).waitFor();
    },
  },
  {
    name: 'operations',
    async show(page, world) {
      await enter(page, world, (await accountOf(world)).token, '/operations');
      await page.getByText(/operations loaded/).waitFor();
    },
  },
  {
    name: 'operation',
    async show(page, world) {
      await enter(page, world, (await accountOf(world)).token, '/operations');
      await page
        .getByRole('row', { name: /plants-1/ })
        .getByRole('link')
        .click();
      await page.getByText(/companies, as of/).waitFor();
    },
  },
  {
    name: 'usage',
    async show(page, world) {
      await enter(page, world, (await accountOf(world)).token, '/usage');
      await page.getByText('agree exactly').waitFor();
      await page.getByText('Show as a table').click();
    },
  },
];
