import type { Flow } from '../flow.ts';
import { enter, includes, same, settled } from '../steps.ts';

export const LOOK_UP_FLOWS: readonly Flow[] = [
  {
    name: 'look-up: four outcomes, the price before and the cost after, and a replay that is free',
    async run(page, world) {
      const subscriber = await world.subscribe();
      const { found, notFound, ambiguous, unavailable } = world.fixture.hostnames;
      await enter(page, world, subscriber.token, '/look-up');
      const pasted = `https://${found.toUpperCase()}/about\t${notFound}\n${ambiguous};${unavailable}, ${found}`;
      await page.getByLabel('Domains or company ids').fill(pasted);
      const form = page.locator('form');
      await form.getByText('Costs 1 request unit and at most 4 delivered units.').waitFor();
      await form.getByText(`${found} (2 times)`).waitFor();
      await page.getByRole('button', { name: 'Look up 4 domains' }).click();
      const answer = page.getByRole('region', { name: 'Answer' });
      await answer.getByText('It cost 1 request unit and 1 delivered unit').waitFor();
      same('the ledger', await settled(subscriber), { request: 1, delivered: 1 });
      const rows = await answer.getByRole('table', { name: 'Outcome of each input' }).getByRole('row').allInnerTexts();
      const outcomes = rows.slice(1).map((row) => row.split(/\s*\t\s*/).slice(0, 2));
      same('outcomes', outcomes, [
        [found, 'Found'],
        [notFound, 'Not found'],
        [ambiguous, 'Ambiguous'],
        [unavailable, 'Unavailable'],
      ]);
      await answer.getByText('links this domain to several companies').waitFor();
      await answer.getByRole('article').getByText(world.fixture.plant.name).first().waitFor();
      await page.getByRole('button', { name: 'Ask again with the same key' }).click();
      await answer.getByText('Replayed: nothing was charged now.').waitFor();
      same('the ledger after a replay', await settled(subscriber), { request: 1, delivered: 1 });
      return 'found, not found, ambiguous, unavailable for 1 + 1; 4 was the most; again for nothing';
    },
  },
  {
    name: 'look-up: a pasted table is read for its domains, and what cannot be looked up is listed and skipped',
    async run(page, world) {
      const subscriber = await world.subscribe();
      const { found, notFound } = world.fixture.hostnames;
      await enter(page, world, subscriber.token, '/look-up');
      const rows = ['Name,Employees,Website', `"Ann, Inc.",12,https://www.${found}/`, `Bob,7,${notFound}`, 'Cy,3,n/a'];
      await page.getByLabel('Domains or company ids').fill(rows.join('\n'));
      await page.getByText('Read: column “Website”, not 2 other columns.').waitFor();
      await page.getByText('Skipped: 1 value that cannot be looked up').click();
      await page.getByText('n/a is neither a domain nor a company id').waitFor();
      await page.getByText(`https://www.${found}/ as www.${found}`).waitFor();
      await page.getByRole('button', { name: 'Remove “www.”' }).click();
      await page.getByText(`https://${found}/ as ${found}`).waitFor();
      await page.getByRole('button', { name: 'Look up 2 domains' }).click();
      await page.getByText('It cost 1 request unit and 1 delivered unit').waitFor();
      return 'one column of three, one value skipped, “www.” removed by a press';
    },
  },
  {
    name: 'look-up: ids and domains together are refused, and more than twenty are several calls',
    async run(page, world) {
      const subscriber = await world.subscribe();
      await enter(page, world, subscriber.token, '/look-up');
      const input = page.getByLabel('Domains or company ids');
      await input.fill(`12 ${world.fixture.hostnames.found}`);
      await page.getByText('There are both ids (12) and domains').waitFor();
      const button = page.getByRole('button', { name: /^Look up/ });
      same('the button', await button.isDisabled(), true);
      const many = Array.from({ length: 22 }, (_, at) => world.fixture.plantHostname(at + 1));
      await input.fill(many.join('\n'));
      const price = await page.locator('form').innerText();
      includes('the price', price, 'Costs 2 request units and at most 22 delivered units.');
      includes('the price', price, '20 domains: 1 request unit and at most 20 delivered units');
      includes('the price', price, '2 domains: 1 request unit and at most 2 delivered units');
      await page.getByRole('button', { name: 'Look up 22 domains' }).click();
      await page.getByText('It cost 2 request units and 22 delivered units').waitFor();
      same('the ledger', await settled(subscriber), { request: 2, delivered: 22 });
      return '2 calls, 2 + 22 units, as was said before';
    },
  },
  {
    name: 'look-up: pressed twice and loaded again it is charged once, and its answer is there again',
    async run(page, world) {
      const subscriber = await world.subscribe();
      await enter(page, world, subscriber.token, '/look-up');
      await page.getByLabel('Domains or company ids').fill(world.fixture.hostnames.found);
      await page.getByRole('button', { name: 'Look up 1 domain' }).dblclick({ delay: 50 });
      const answer = page.getByRole('region', { name: 'Answer' });
      await answer.getByText('It cost 1 request unit and 1 delivered unit').waitFor();
      await page.reload();
      await answer.getByText('Replayed: nothing was charged now.').waitFor();
      same('the ledger', await settled(subscriber), { request: 1, delivered: 1 });
      return '1 + 1 for two clicks and a reload';
    },
  },
];
