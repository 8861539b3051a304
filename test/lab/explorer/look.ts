import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { openVisit, type VisitOptions } from '../support/visit.ts';
import { onceMore } from './flow.ts';
import type { World } from './world.ts';

export interface Screen {
  readonly name: string;
  readonly show: (page: Page, world: World) => Promise<void>;
  readonly expected?: VisitOptions['expected'];
}

const WIDTHS = [375, 768, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;

/**
 * Takes a screenshot in every width and scheme. Resolves with axe violations, horizontal overflow
 * and faults of the tab. Each fault lists its screenshots.
 */
export async function lookAt(world: World, screen: Screen, folder: string): Promise<readonly string[]> {
  const places = new Map<string, string[]>();
  for (const width of WIDTHS)
    for (const [fault, place] of await lookInWidth(world, screen, folder, width))
      places.set(fault, [...(places.get(fault) ?? []), place]);
  return [...places].map(([fault, names]) => `${fault} (${names.join(', ')})`);
}

type Fault = readonly [fault: string, place: string];

async function lookInWidth(world: World, screen: Screen, folder: string, width: number): Promise<readonly Fault[]> {
  await using visit = await openVisit(world, { viewport: { width, height: 900 }, expected: screen.expected });
  const { page } = visit;
  const faults: Fault[] = [];
  try {
    await screen.show(page, world);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await settle(page);
      const name = `${screen.name}-${width}-${colorScheme}`;
      await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
      faults.push(...(await broken(page)).map((fault) => [fault, name] as const));
    }
  } catch (error) {
    faults.push([error instanceof Error ? error.message : String(error), `${screen.name}-${width}`]);
  }
  if (visit.isDisturbed) return await onceMore(screen.name, () => lookInWidth(world, screen, folder, width));
  return [...faults, ...visit.faults.map((fault) => [fault, `${screen.name}-${width}`] as const)];
}

/** Waits two frames: plots measure themselves in the first and draw in the second. */
async function settle(page: Page): Promise<void> {
  await page.evaluate('scrollTo(0, 0)');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

async function broken(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  const wide = excess > 0 ? [`the page is ${excess} px wider than its window`] : [];
  const rules = violations.map(({ id, help, nodes }) => {
    const [first] = nodes;
    return `${id}: ${help}, ${nodes.length} times, first at ${first?.target.join(' ')}`;
  });
  return [...wide, ...rules];
}
