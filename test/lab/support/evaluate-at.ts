import type { Browser } from 'playwright-core';

/** What `expression` comes to in a page that stands at `origin` although no server has it, so that it may call that server. */
export async function evaluateAt<T>(chromium: Browser, origin: string, html: string, expression: string): Promise<T> {
  // Certificates of tests are of an authority that no browser knows.
  await using context = await chromium.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.route(`${origin}/`, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }));
  await page.goto(`${origin}/`);
  return await page.evaluate<T>(expression);
}
