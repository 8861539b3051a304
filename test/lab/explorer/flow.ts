import path from 'node:path';
import type { Page } from 'playwright-core';
import { openVisit, type VisitOptions } from '../support/visit.ts';
import type { World } from './world.ts';

export interface Flow {
  readonly name: string;
  readonly visit?: VisitOptions;
  /** Resolves with a description of the result. Rejects with what a user would miss. */
  readonly run: (page: Page, world: World) => Promise<string>;
}

export async function runFlow(world: World, flow: Flow, folder: string): Promise<boolean> {
  const { name, visit, run } = flow;
  await using tab = await openVisit(world, visit);
  tab.page.setDefaultTimeout(TIMEOUT_MS);
  const begun = performance.now();
  try {
    const seen = await run(tab.page, world);
    if (tab.faults.length > 0) throw new Error(tab.faults.join('; '));
    console.log(`ok      ${name}: ${seen} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    if (tab.isDisturbed) return await onceMore(name, () => runFlow(world, flow, folder));
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`FAILED  ${name}: ${[...new Set([reason, ...tab.faults])].join('\n        ')}`);
    const file = path.join(folder, `failed-${name.replaceAll(/\W+/g, '-').slice(0, 60)}.png`);
    const isKept = await keepScreen(tab.page, file);
    console.log(`        what was on the screen: ${isKept ? file : 'it could not be drawn in time'}`);
    return false;
  }
}

/** A tab that no longer draws must not end the flows that follow. */
async function keepScreen(page: Page, path: string): Promise<boolean> {
  try {
    await page.screenshot({ path, fullPage: true });
    return true;
  } catch {
    return false;
  }
}

/** Repeats a flow that a change of the machine's network interrupted. */
export function onceMore<T>(name: string, run: () => Promise<T>): Promise<T> {
  console.log(`again   ${name}: the network of this machine changed meanwhile`);
  return run();
}

const TIMEOUT_MS = 15_000;
