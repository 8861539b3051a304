import type { Flow } from '../flow.ts';
import { enter, failure, same } from '../steps.ts';

export const KEY_FLOWS: readonly Flow[] = [
  {
    name: 'key: from the home page, a local stack offers its sample keys, and one press is enough',
    async run(page, world) {
      await page.goto(world.baseUrl);
      await page.getByRole('main').getByRole('link', { name: 'Explore', exact: true }).click();
      await page.getByText('with fictional companies').waitFor();
      await page.getByRole('button', { name: 'Use the sandbox key' }).waitFor();
      const offered = await page.getByRole('button', { name: /^Use the .* key$/ }).allInnerTexts();
      same('the keys', offered, ['Use the builder key', 'Use the professional key', 'Use the sandbox key']);
      await page.getByRole('button', { name: 'Use the sandbox key' }).click();
      await page.getByLabel('What are the companies doing?').waitFor();
      await page.getByRole('button', { name: /^Key/ }).click();
      await page.getByText('A test key').waitFor();
      return offered.join(', ');
    },
  },
  {
    name: 'key: a wrong one is refused in words, a good one stays in its tab alone and can be forgotten',
    visit: { expected: [401] },
    async run(page, world) {
      const subscriber = await world.subscribe();
      await page.goto(`${world.baseUrl}/explore`);
      const field = page.getByLabel('API key', { exact: true });
      await field.fill(`${subscriber.token.slice(0, -1)}-`);
      await page.getByRole('button', { name: 'Use this key' }).click();
      const failed = failure(page, 'invalid_api_key');
      await failed.getByText('The service does not accept this key.').waitFor();
      same('syntax of a header', (await failed.innerText()).includes('Bearer'), false);
      await enter(page, world, subscriber.token);
      const kept = {
        cookies: (await page.context().cookies()).length,
        local: await page.evaluate('localStorage.length'),
      };
      same('what outlives the tab', kept, { cookies: 0, local: 0 });
      same('the address', page.url().includes(subscriber.token), false);
      const other = await page.context().newPage();
      await other.goto(`${world.baseUrl}/explore`);
      await other.getByLabel('API key', { exact: true }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: /^Key/ }).click();
      await page.getByRole('button', { name: 'Forget the key' }).click();
      await field.waitFor();
      same('what the tab keeps', await page.evaluate('sessionStorage.length'), 0);
      return 'no cookie, no storage but the tab’s, another tab asks again';
    },
  },
  {
    name: 'key: a tab opened by a link is signed in, a shared link asks in place, and to forget is to forget in both',
    async run(page, world) {
      const subscriber = await world.subscribe();
      await subscriber.search({ query: world.fixture.query, limit: 2 }, 'shared');
      await enter(page, world, subscriber.token, '/operations');
      const link = page.getByRole('row', { name: /shared/ }).getByRole('link');
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        link.click({ modifiers: ['ControlOrMeta'] }),
      ]);
      await opened.getByText('2 companies, as of').waitFor();
      const address = opened.url();
      same('the key in the address', address.includes(subscriber.token), false);
      same('what outlives the tabs', await opened.evaluate('localStorage.length'), 0);
      const shared = await page.context().newPage();
      await shared.goto(address);
      await shared.getByRole('heading', { name: 'Your key opens this link' }).waitFor();
      await shared.getByLabel('API key', { exact: true }).fill(subscriber.token);
      await shared.getByRole('button', { name: 'Use this key' }).click();
      await shared.getByText('2 companies, as of').waitFor();
      same('the address', shared.url(), address);
      await page.getByRole('button', { name: /^Key/ }).click();
      await page.getByRole('button', { name: 'Forget the key' }).click();
      await opened.getByLabel('API key', { exact: true }).waitFor();
      await shared.getByText('2 companies, as of').waitFor();
      return 'opened: signed in; shared: asked, then shown; forgotten in both, and not where it was entered';
    },
  },
];
