import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { openVisit, type VisitOptions } from './visit.ts';
import type { World } from './world.ts';

/** A screen with something on it. */
export interface Screen {
  readonly name: string;
  /** Brings a fresh tab there; resolves when everything is drawn. */
  readonly show: (page: Page, world: World) => Promise<void>;
  readonly expected?: VisitOptions['expected'];
}

const WIDTHS = [375, 768, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;

/**
 * A picture of the screen in every width and scheme, below `folder`. Resolves with what is wrong: rules of axe that are broken, a page
 * wider than its window, and whatever the tab complained of; each once, with the pictures that show it.
 */
export async function lookAt(world: World, screen: Screen, folder: string): Promise<readonly string[]> {
  const places = new Map<string, string[]>();
  const note = (fault: string, place: string) => places.set(fault, [...(places.get(fault) ?? []), place]);
  for (const width of WIDTHS) {
    await using visit = await openVisit(world, { width, expected: screen.expected });
    const { page } = visit;
    await screen.show(page, world);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await settle(page);
      const name = `${screen.name}-${width}-${colorScheme}`;
      await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
      for (const fault of await broken(page)) note(fault, name);
      const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (excess > 0) note(`the page is ${excess} px wider than its window`, name);
    }
    for (const fault of visit.faults) note(fault, `${screen.name}-${width}`);
  }
  return [...places].map(([fault, names]) => `${fault} (${names.join(', ')})`);
}

/** Two frames: plots measure themselves in the first and are drawn in the second. */
async function settle(page: Page): Promise<void> {
  await page.evaluate('scrollTo(0, 0)');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

async function broken(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, help, nodes }) => {
    const [first] = nodes;
    return `${id}: ${help}, ${nodes.length} times, first at ${first?.target.join(' ')}`;
  });
}
