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
 * wider than its window, and whatever the tab complained of.
 */
export async function lookAt(world: World, screen: Screen, folder: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const scheme of SCHEMES) {
    await using visit = await openVisit(world, { scheme, expected: screen.expected });
    const { page } = visit;
    await screen.show(page, world);
    for (const width of WIDTHS) {
      const place = `${screen.name}, ${scheme}, ${width} px`;
      await page.setViewportSize({ width, height: 900 });
      await settle(page);
      const file = path.join(folder, `${screen.name}-${width}-${scheme}.png`);
      await page.screenshot({ path: file, fullPage: true });
      faults.push(...(await broken(page)).map((fault) => `${place}: ${fault}`));
      const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (excess > 0) faults.push(`${place}: the page is ${excess} px wider than its window`);
    }
    faults.push(...visit.faults.map((fault) => `${screen.name}, ${scheme}: ${fault}`));
  }
  return faults;
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
    return `${id}: ${help} (${nodes.length} times, first at ${first?.target.join(' ')}: ${first?.html.slice(0, 160)})`;
  });
}
