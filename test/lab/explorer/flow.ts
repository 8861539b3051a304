import path from 'node:path';
import type { Page } from 'playwright-core';
import { openVisit, type VisitOptions } from './visit.ts';
import type { World } from './world.ts';

/** One thing that a person does, and what they must see. */
export interface Flow {
  /** A sentence of what must hold. */
  readonly name: string;
  readonly visit?: VisitOptions;
  /** Rejects with what a person would have missed; resolves with what was seen. */
  readonly run: (page: Page, world: World) => Promise<string>;
}

/** Runs one flow in a tab of its own, prints how it went, and keeps a picture of the moment in which it failed. */
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
    await tab.page.screenshot({ path: file, fullPage: true });
    console.log(`        what was on the screen: ${file}`);
    return false;
  }
}

/** For what was cut off by a change of the machine's network, which is none of the page's faults. */
export function onceMore<T>(name: string, run: () => Promise<T>): Promise<T> {
  console.log(`again   ${name}: the network of this machine changed meanwhile`);
  return run();
}

/** Everything waited for comes within this on a loaded machine, or it does not come. */
const TIMEOUT_MS = 15_000;
