import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** What a test of this machine alone needs: no window, no sandbox (containers have none), no calls of the browser's own. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The program of the Debian package chromium; undefined where it is not installed. */
export async function findChromium(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const program = path.join(folder, 'chromium');
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return undefined;
}

/** A browser without a window; disposing ends it. */
export function startChromium(program: string): Promise<Browser> {
  return chromium.launch({ executablePath: program, args: FLAGS });
}

/** What `expression` comes to in a page that stands at `origin` although no server has it, so that it may call that server. */
export async function evaluateAt<T>(chromium: Browser, origin: string, html: string, expression: string): Promise<T> {
  // Certificates of tests are of an authority that no browser knows.
  await using context = await chromium.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.route(`${origin}/`, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }));
  await page.goto(`${origin}/`);
  return await page.evaluate<T>(expression);
}
