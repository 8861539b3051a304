import type { Browser } from 'playwright-core';
import { makeCheck, type Say } from '../support/row.ts';
import { visitPage } from '../support/visit.ts';

interface DocsParts {
  readonly browser: Browser;
  readonly origin: string;
  /** The sample key that the guides show; undefined where the stack has none. */
  readonly apiKey: string | undefined;
}

const GUIDE = '/docs/first-search';

/** Uses what the script adds to the guides: filled-in examples, tabs and search. */
export async function checkDocs(say: Say, { browser, origin, apiKey }: DocsParts): Promise<void> {
  await makeCheck(say, GUIDE, 'examples', async () => {
    await using visited = await visitPage(browser, origin + GUIDE);
    const { page, faults } = visited;
    await page.locator('.filled-in:visible').waitFor();
    const code = (await page.locator('.examples figure:visible code').first().textContent()) ?? '';
    for (const value of [origin, ...(apiKey === undefined ? [] : [apiKey])])
      if (!code.includes(value)) throw new Error(`the example lacks ${value}: ${code}`);
    if (faults.length > 0) throw new Error(faults.join('; '));
    return 'the address and the sample key are filled in';
  });
  await makeCheck(say, GUIDE, 'tabs', async () => {
    await using visited = await visitPage(browser, origin + GUIDE);
    const { page } = visited;
    const shown = async () => {
      const figures = await page.locator('.examples figure:visible').all();
      return await Promise.all(figures.map((figure) => figure.getAttribute('data-language')));
    };
    const groups = await page.locator('.examples').count();
    await page.locator('[role="tab"]').first().focus();
    await page.keyboard.press('ArrowRight');
    const after = await shown();
    if (after.length !== groups || after.some((language) => language !== 'ts')) throw new Error(`shown: ${after}`);
    await page.getByRole('tab', { name: 'Python' }).last().click();
    await page.goto(`${origin}/docs/units`, { waitUntil: 'networkidle' });
    const remembered = await shown();
    if (remembered.some((language) => language !== 'python')) throw new Error(`remembered: ${remembered}`);
    return `${groups} examples change together, by arrow keys and clicks, and stay so on the next page`;
  });
  await makeCheck(say, '/docs', 'search', async () => {
    await using visited = await visitPage(browser, `${origin}/docs`);
    const { page, faults } = visited;
    await page.getByRole('searchbox').fill('withdrawn evidence');
    await page.locator('.docs-search a').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/docs/evidence#withdrawn-evidence`);
    if (faults.length > 0) throw new Error(faults.join('; '));
    return 'Enter leads to the best section';
  });
}
