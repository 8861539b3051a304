import type { Flow } from '../flow.ts';
import { enter, failure, same } from '../steps.ts';

export const KEY_FLOWS: readonly Flow[] = [
  {
    name: 'key: a local stack offers its sample keys, and one press is enough',
    async run(page, world) {
      await page.goto(`${world.baseUrl}/explore`);
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
      await failure(page, 'invalid_api_key').waitFor();
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
];
