import type { Browser } from 'playwright-core';
import { makeCheck, type Say } from '../support/row.ts';
import { visitPage } from '../support/visit.ts';

interface Tried {
  readonly browser: Browser;
  readonly origin: string;
  readonly apiKey: string;
}

/**
 * Checks that the reference draws every tag, and that a call made from it goes only to this origin.
 */
export async function checkReference(say: Say, { browser, origin, apiKey }: Tried): Promise<void> {
  await makeCheck(say, '/docs/reference', 'is drawn, and a call is tried from it', async () => {
    await using visited = await visitPage(browser, `${origin}/docs/reference#tag/usage/GET/api/usage`);
    const { page } = visited;
    await page.getByRole('textbox', { name: /token/i }).first().fill(apiKey);
    const operation = page.locator('section[id$="/GET/api/usage"]').first();
    await operation.scrollIntoViewIfNeeded();
    await operation
      .getByRole('button', { name: /test request/i })
      .first()
      .click();
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/usage');
    await page.getByRole('button', { name: /^send/i }).first().click();
    const response = await answered;
    if (response.status() !== 200) throw new Error(`${response.status()}: ${await response.text()}`);
    if (visited.faults.length > 0) throw new Error(visited.faults.join('; '));
    return 'GET /api/usage answered 200, nothing was asked elsewhere';
  });
}
