import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly faults: readonly string[];
}

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  const { origin } = new URL(url);
  page.on('request', (request) => {
    const target = new URL(request.url());
    if (target.protocol !== 'data:' && target.protocol !== 'blob:' && target.origin !== origin)
      faults.push(`asks ${target.origin}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.exposeBinding('sawViolation', (_source, what: string) => void faults.push(`violates ${what}`));
  await page.addInitScript(WATCH_POLICY);
  await page.goto(url, { waitUntil: 'networkidle' });
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

const WATCH_POLICY = `addEventListener('securitypolicyviolation', (event) =>
  sawViolation(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`;
