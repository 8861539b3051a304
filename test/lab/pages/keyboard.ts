import type { Browser, Page } from 'playwright-core';
import { makeCheck, type Say } from '../support/row.ts';
import { visitPage } from '../support/visit.ts';

const MOST_STOPS = 200;
/** The reference draws sections lazily, so its tab stops cannot be counted in advance. */
const REFERENCE = { path: '/docs/reference', leastStops: 20 };

interface Stop {
  readonly name: string;
  readonly outlined: boolean;
  readonly visible: boolean;
}

/**
 * Tabs through a page: the skip link comes first and works, and every link and button gets a
 * visible focus.
 */
export async function checkKeyboard(
  say: Say,
  { browser, origin, path }: { readonly browser: Browser; readonly origin: string; readonly path: string },
): Promise<void> {
  await makeCheck(say, path, 'keyboard', async () => {
    await using visited = await visitPage(browser, origin + path);
    const { page } = visited;
    const stops = await tabThrough(page);
    const hidden = stops.filter(({ outlined, visible }) => !outlined || !visible).map(({ name }) => name);
    if (stops[0]?.name !== 'Skip to content') throw new Error(`first stop ${stops[0]?.name}`);
    if (hidden.length > 0) throw new Error(`focus cannot be seen on ${hidden.join(', ')}`);
    const there = await page.locator('a[href]:visible, button:visible:not([tabindex="-1"])').count();
    const wanted = path === REFERENCE.path ? REFERENCE.leastStops : there;
    if (stops.length < wanted) throw new Error(`${stops.length} stops of ${wanted}`);
    await page.goto(origin + path);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const focused = await page.evaluate('document.activeElement.id');
    if (focused !== 'main') throw new Error(`the skip link leads to ${focused}`);
    return `${stops.length} stops, the skip link first`;
  });
}

async function tabThrough(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<Stop | null>(DESCRIBE_FOCUSED);
    if (stop === null) break;
    stops.push(stop);
  }
  return stops;
}

/** Returns null once the focus has left the page or wrapped around. */
const DESCRIBE_FOCUSED = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body || element.dataset.reached) return null;
  element.dataset.reached = 'yes';
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { width, height, bottom } = element.getBoundingClientRect();
  return {
    name: element.textContent.trim().slice(0, 60),
    outlined: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
    visible: width > 0 && height > 0 && bottom > 0,
  };
})()`;
