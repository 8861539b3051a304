import { writeFile } from 'node:fs/promises';
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
export async function runFlow(world: World, { name, visit, run }: Flow, folder: string): Promise<boolean> {
  await using tab = await openVisit(world, visit);
  tab.page.setDefaultTimeout(TIMEOUT_MS);
  const begun = performance.now();
  try {
    const seen = await run(tab.page, world);
    if (tab.faults.length > 0) throw new Error(tab.faults.join('; '));
    console.log(`ok      ${name}: ${seen} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`FAILED  ${name}: ${[reason, ...tab.faults].join('\n        ')}`);
    const file = path.join(folder, `failed-${name.replaceAll(/\W+/g, '-').slice(0, 60)}.png`);
    await writeFile(file, await tab.page.screenshot({ fullPage: true }));
    console.log(`        what was on the screen: ${file}`);
    return false;
  }
}

/** Everything waited for comes within this on a loaded machine, or it does not come. */
const TIMEOUT_MS = 15_000;
