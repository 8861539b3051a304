import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { makeCheck, type Say } from '../support/row.ts';
import { visitPage } from '../support/visit.ts';

/** Phone, tablet and desktop, in CSS pixels. */
const WIDTHS = [375, 768, 1280];
const HEIGHT = 900;
const SCHEMES = ['light', 'dark'] as const;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Looks {
  readonly browser: Browser;
  readonly origin: string;
  readonly path: string;
  /** Folder for full-page screenshots. Undefined takes none. */
  readonly screenshots: string | undefined;
}

/**
 * Checks a page at three widths in two schemes and without scripts: no foreign requests, axe
 * findings or overflow.
 */
export async function checkLooks(say: Say, { browser, origin, path: place, screenshots }: Looks): Promise<void> {
  for (const colorScheme of SCHEMES)
    for (const width of WIDTHS)
      await makeCheck(say, place, `${width} ${colorScheme}`, async () => {
        const options = { colorScheme, viewport: { width, height: HEIGHT } };
        await using visited = await visitPage(browser, origin + place, options);
        if (screenshots !== undefined) await takePicture(visited.page, screenshots, `${place}-${width}-${colorScheme}`);
        const faults = [
          ...visited.faults,
          ...(await tooWide(visited.page)),
          ...(await splitItems(visited.page)),
          ...(await axeFindings(visited.page)),
        ];
        if (faults.length > 0) throw new Error(faults.join('; '));
        return 'from one origin, within its policy, nothing found by axe, nothing too wide';
      });
  await makeCheck(say, place, 'without scripts', async () => {
    await using visited = await visitPage(browser, origin + place, { javaScriptEnabled: false });
    const heading = await visited.page.locator('h1').innerText();
    if (visited.faults.length > 0) throw new Error(visited.faults.join('; '));
    return heading;
  });
}

async function takePicture(page: Page, folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const fullPage = !name.startsWith('/docs/reference');
  await page.screenshot({ path: path.join(folder, `${name.replace(/^\/|\//g, '_')}.png`), fullPage });
}

async function tooWide(page: Page): Promise<readonly string[]> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return width > 0 ? [`${width} px too wide`] : [];
}

/** Items that a column ends within. */
async function splitItems(page: Page): Promise<readonly string[]> {
  const split = await page.evaluate<string[]>(
    `[...document.querySelectorAll('li')].filter((item) => item.getClientRects().length > 1).map((item) => item.textContent)`,
  );
  return split.map((text) => `two columns share “${text}”`);
}

async function axeFindings(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' , ')}`);
}
