import type { Page } from 'playwright-core';
import type { Flow } from '../flow.ts';
import { same, settled } from '../steps.ts';

const MOST_TABS = 120;

export const KEYBOARD_FLOWS: readonly Flow[] = [
  {
    name: 'keyboard: enter a key, search, take the next page, look at an operation, without a pointer',
    async run(page, world) {
      const subscriber = await world.subscribe();
      await page.goto(`${world.baseUrl}/explore`);
      await page.getByLabel('API key', { exact: true }).waitFor();
      await tabTo(page, 'API key');
      await page.keyboard.type(subscriber.token);
      await page.keyboard.press('Enter');
      await page.getByLabel('What are the companies doing?').waitFor();
      await tabTo(page, 'What are the companies doing?');
      await page.keyboard.type(world.fixture.query);
      await page.keyboard.press('Enter');
      await page.getByText('10 companies of 26 shown.').waitFor();
      await tabTo(page, 'Next page');
      await page.keyboard.press('Enter');
      await page.getByText('20 companies of 26 shown.').waitFor();
      await tabTo(page, 'Operations');
      await page.keyboard.press('Enter');
      await page.getByText('2 operations loaded.').waitFor();
      same('the focus', await page.evaluate('document.activeElement.textContent'), 'Operations');
      await tabTo(page, /^\d+$/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: /^Operation \d+$/ }).waitFor();
      same('the ledger', await settled(subscriber), { request: 2, delivered: 20 });
      return 'key, query, next page, operation';
    },
  },
];

/**
 * Presses Tab until the named element has the focus. Checks that every focus on the way is visible.
 */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<{ names: string[]; isSeen: boolean }>(FOCUSED);
    if (!focused.isSeen) throw new Error(`nothing shows that “${focused.names.join(' ')}” has the focus`);
    if (focused.names.some((one) => (typeof name === 'string' ? one === name : name.test(one)))) return;
  }
  throw new Error(`“${name}” is not reached by ${MOST_TABS} tabs`);
}

const FOCUSED = `(() => {
  const element = document.activeElement;
  const labels = [...(element.labels ?? [])].map((label) => label.textContent);
  const names = [element.getAttribute('aria-label'), element.textContent, ...labels].filter(Boolean).map((name) => name.trim());
  const outlined = [element, element.closest('label')].filter(Boolean)
    .some((one) => getComputedStyle(one).outlineStyle !== 'none' && getComputedStyle(one).outlineWidth !== '0px');
  return { names, isSeen: element === document.body || outlined };
})()`;
