import type { Flow } from '../flow.ts';
import { enter, includes, same, search, settled } from '../steps.ts';

export const SEARCH_FLOWS: readonly Flow[] = [
  {
    name: 'search: the price before is the most, the cost after is the ledger’s, quotes are marked, gaps are said',
    async run(page, world) {
      const subscriber = await world.subscribe({ plan: 'builder' });
      await enter(page, world, subscriber.token);
      await page.getByText('At most 1 request unit + 10 delivered units.').waitFor();
      await page.getByText('You have 60 request units now, 500 this week').waitFor();
      await search(page, world.fixture.query);
      await page.getByText('Cost 1 request unit + 10 delivered units.').waitFor();
      same('the ledger', await settled(subscriber), { request: 1, delivered: 10 });
      const rows = page.getByRole('list', { name: 'Companies' }).getByRole('article');
      same('rows', await rows.count(), 10);
      const card = rows.first();
      same('marked words', (await card.locator('p mark').allInnerTexts()).slice(0, 2), world.fixture.words);
      await card.getByText('Shown: ').first().waitFor();
      await card.getByRole('button', { name: /^Details of / }).click();
      for (const part of ['Proxy', 'happened', 'collected', 'Confidence', 'source.example'])
        includes('the card', await card.innerText(), part);
      await page.getByText(/^Partial: \d+ limits of this answer$/).click();
      const partial = await page.locator('details', { hasText: /^Partial: / }).innerText();
      includes('where it is partial', partial, 'The sources cover only a part of all companies and events.');
      includes('where it is partial', partial, 'The shortlist holds 26 companies');
      await card.getByRole('button', { name: 'What does “Confidence” mean?' }).click();
      await page.getByText('It is not a probability').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'What does “Relevance” mean?' }).click();
      await page.getByText('estimates how probable it is').waitFor();
      return 'at most 1 + 10, cost 1 + 10, words of the query marked';
    },
  },
  ...[
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ].map(
    (viewport): Flow => ({
      name: `search: at ${viewport.width} × ${viewport.height} the first row is seen without scrolling, ten take 900 px`,
      visit: { viewport },
      async run(page, world) {
        const subscriber = await world.subscribe();
        await enter(page, world, subscriber.token);
        await search(page, 'cold storage companies in Canada opening a warehouse since 2025');
        const rows = page.getByRole('list', { name: 'Companies' }).getByRole('article');
        await page.getByText('10 companies of ').waitFor();
        const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()));
        const [first, last] = [boxes[0], boxes.at(-1)];
        if (!first || !last) throw new Error('there are no rows');
        const [bottom, height] = [first.y + first.height, last.y + last.height - first.y];
        if (bottom > viewport.height) throw new Error(`the first row ends at ${bottom} px`);
        if (height > 900) throw new Error(`ten rows take ${height} px`);
        same('pixels of the filters below their own scroll', await page.evaluate(HIDDEN_FILTERS), 0);
        await page.getByRole('button', { name: 'Plot by week' }).click();
        same('the focus', await page.evaluate('document.activeElement.textContent'), 'By kind and week');
        return `the first row ends at ${Math.round(bottom)} px, ten rows take ${Math.round(height)} px`;
      },
    }),
  ),
  {
    name: 'search: a row says which stated conditions are shown, and the first three of each example are right',
    async run(page, world) {
      const subscriber = await world.subscribe();
      await enter(page, world, subscriber.token);
      for (const [query, fact] of EXAMPLES) {
        await page.goto(`${world.baseUrl}/explore?limit=3`);
        await page.getByRole('button', { name: query }).click();
        await page.getByRole('button', { name: 'Search', exact: true }).click();
        await page.getByRole('heading', { name: /^3 companies for/ }).waitFor();
        const rows = await page.getByRole('list', { name: 'Companies' }).getByRole('article').allInnerTexts();
        for (const row of rows) if (!fact.test(row)) throw new Error(`“${query}” shows ${row}`);
      }
      await search(page, 'steel plant expansion in Ontario');
      await page
        .getByRole('heading', { name: /^3 companies for/ })
        .filter({ hasText: 'Ontario' })
        .waitFor();
      const rows = page.getByRole('list', { name: 'Companies' }).getByRole('article');
      for (const row of await rows.allInnerTexts()) includes('a row', row, 'Ontario');
      await rows
        .first()
        .getByRole('button', { name: /^Details of / })
        .click();
      const why = await rows.first().getByRole('region', { name: 'Why it matched' }).innerText();
      for (const part of ['Shown', 'Ontario', 'Facility expansion']) includes('why it matched', why, part);
      return `${EXAMPLES.length} examples; words, kind and place of a query in each row`;
    },
  },
  {
    name: 'search: a topic that no kind covers is said above the results, not among the limits alone',
    async run(page, world) {
      const subscriber = await world.subscribe();
      await enter(page, world, subscriber.token);
      await search(page, 'companies that laid off staff');
      await page.getByRole('heading', { name: /^\d+ companies for/ }).waitFor();
      await page.getByRole('note').filter({ hasText: 'The record does not hold layoffs' }).waitFor();
      return 'layoffs are not recorded';
    },
  },
  {
    name: 'search: delivered companies are sorted and narrowed for nothing, in files too',
    async run(page, world) {
      const subscriber = await world.subscribe();
      const { query, companies, tender, formula } = world.fixture;
      await enter(page, world, subscriber.token);
      await page.getByLabel('Page size').fill('50');
      await search(page, query);
      const rows = page.getByRole('list', { name: 'Companies' }).getByRole('article');
      await page.getByText(`Cost 1 request unit + ${companies} delivered units.`).waitFor();
      await page.getByLabel('Order').selectOption({ label: 'By name' });
      includes('the first by name', await rows.first().innerText(), formula.name);
      await page.getByLabel('Kind', { exact: true }).selectOption({ label: 'Procurement request (1)' });
      same('rows', await rows.count(), 1);
      includes('the row', await rows.first().innerText(), tender.name);
      await page.getByText(`1 of ${companies} delivered companies, by name`).waitFor();
      await page.getByRole('button', { name: `Show all ${companies}` }).click();
      await page.getByLabel('Country', { exact: true }).selectOption({ label: 'United States (1)' });
      same('rows', await rows.count(), 1);
      same('the ledger', await settled(subscriber), { request: 1, delivered: companies });
      return `${companies} sorted by name, 1 by kind and by country, charged once`;
    },
  },
  {
    name: 'search: every filter narrows, and the address brings the form back',
    async run(page, world) {
      const subscriber = await world.subscribe();
      const { query, tender, plant } = world.fixture;
      await enter(page, world, subscriber.token);
      const found = async (expected: number) => {
        await search(page, query);
        await page
          .getByRole('heading', { name: expected === 1 ? /^1 company for/ : `${expected} companies for` })
          .waitFor();
      };
      await page.getByLabel('Page size').fill('50');
      await page.getByRole('checkbox', { name: 'United States' }).check();
      await found(1);
      await page.getByRole('article').getByRole('heading', { name: tender.name }).waitFor();
      await page.getByRole('checkbox', { name: 'United States' }).uncheck();
      await page.getByRole('checkbox', { name: 'Procurement request' }).check();
      await found(1);
      await page.getByRole('checkbox', { name: 'Procurement request' }).uncheck();
      await page.getByRole('checkbox', { name: 'Explicit request' }).check();
      await found(1);
      await page.getByRole('checkbox', { name: 'Explicit request' }).uncheck();
      await page.getByText('Specific companies').click();
      await page.getByLabel('Only these domains').fill(`${plant.hostname}, ${tender.hostname}`);
      await found(2);
      await page.getByLabel('Only these domains').fill('');
      await page.getByLabel('Without these domains').fill(plant.hostname);
      await found(world.fixture.companies - 1);
      await page.getByLabel('Without these domains').fill('');
      await page.getByLabel('Happened', { exact: true }).selectOption({ label: 'Since a day …' });
      await page.getByLabel('Happened since').fill(new Date().toISOString().slice(0, 10));
      await search(page, query);
      await page.getByText('No company with evidence was found.').waitFor();
      await page.reload();
      same('the query', await page.getByLabel('What are the companies doing?').inputValue(), query);
      same('the size', await page.getByLabel('Page size').inputValue(), '50');
      return 'country, kind, demand class, domains, excluded domains, date';
    },
  },
  {
    name: 'search: each next page says its price, and a replay changes no bill',
    async run(page, world) {
      const subscriber = await world.subscribe();
      await enter(page, world, subscriber.token);
      await search(page, world.fixture.query);
      await page.getByText('10 companies of 26 shown.').waitFor();
      same(
        'the price',
        await page.locator('#next-price strong').innerText(),
        'At most 1 request unit + 10 delivered units.',
      );
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByText('20 companies of 26 shown.').waitFor();
      same(
        'the price',
        await page.locator('#next-price strong').innerText(),
        'At most 1 request unit + 6 delivered units.',
      );
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByText('This is the end of the shortlist.').waitFor();
      same('the ledger', await settled(subscriber), { request: 3, delivered: 26 });
      await page.getByRole('region', { name: 'Page 2' }).getByRole('button', { name: 'Replay for free' }).click();
      await page.getByRole('region', { name: 'Page 2' }).getByText('Free: replayed').waitFor();
      await page.reload();
      await page.getByText('This is the end of the shortlist.').waitFor();
      same('the ledger after a replay and a reload', await settled(subscriber), { request: 3, delivered: 26 });
      return '10 + 10 + 6 companies for 3 + 26 units, again for none';
    },
  },
  {
    name: 'search: one in the background holds its price, survives a reload and ends by itself',
    async run(page, world) {
      const subscriber = await world.subscribe({ testMode: true, plan: 'builder' });
      await enter(page, world, subscriber.token);
      await page.getByLabel('Page size').fill('7');
      await page.getByLabel('Search in the background').check();
      await page.getByText('At most 1 request unit + 7 delivered units.').waitFor();
      await search(page, 'sandbox:slow');
      await page.getByText(/^Operation \d+ is running\.$/).waitFor();
      const { reservations } = (await subscriber.report()).body;
      same('what is held', reservations, { request_units: 1, delivered_units: 7 });
      await page.reload();
      await page.getByText(/^Operation \d+ is running\.$/).waitFor();
      await page.getByText('No company with evidence was found.').waitFor({ timeout: SLOW_MS });
      same('the ledger', await settled(subscriber), { request: 1, delivered: 0 });
      return 'held 1 + 7 as was said, shown again after a reload, cost 1 + 0';
    },
  },
];

/** The example chips, and what each of their first three facts says. */
const EXAMPLES: readonly (readonly [query: string, fact: RegExp])[] = [
  ['cold storage warehouse expansion', /cold storage warehouse/i],
  ['bids for scrap metal removal', /requests bids for scrap metal removal/],
  ['startups that raised a Series B', /in a Series B round/],
  ['hiring electricians', /hiring an? .*electrician/],
];

const HIDDEN_FILTERS = `(() => {
  const panel = [...document.querySelectorAll('details')].find((one) => one.textContent.startsWith('Filters and size'));
  return panel.scrollHeight - panel.clientHeight;
})()`;
const SLOW_MS = 60_000;
