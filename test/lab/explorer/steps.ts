import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { Subscriber } from '../../support/subscriber.ts';
import type { World } from './world.ts';

/** Opens the explorer at `path` below /explore and enters a key, as a person does. */
export async function enter(page: Page, world: World, apiKey: string, path = ''): Promise<void> {
  await page.goto(`${world.baseUrl}/explore${path}`);
  await page.getByLabel('API key', { exact: true }).fill(apiKey);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByRole('button', { name: 'Use this key' }).waitFor({ state: 'detached' });
}

/** What the ledger says was settled for a subscriber so far. */
export async function settled(
  subscriber: Subscriber,
): Promise<{ readonly request: number; readonly delivered: number }> {
  const { body } = await subscriber.report();
  return { request: body.usage.request_units, delivered: body.usage.delivered_units };
}

/** Rejects with both sides when they differ. */
export function same(what: string, seen: unknown, wanted: unknown): void {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${what}: ${one} was seen, ${other} was to be seen`);
}

/** Rejects with the text when `part` is not in it. */
export function includes(what: string, text: string | null, part: string): void {
  if (!text?.includes(part)) throw new Error(`${what}: “${part}” is not in “${text}”`);
}

/** Types a query and presses the button. */
export async function search(page: Page, query: string): Promise<void> {
  await page.getByLabel('What are the companies doing?').fill(query);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
}

const DEADLINE_MS = 15_000;

/** Asks again and again until it holds; rejects when it does not in time. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const ends = performance.now() + DEADLINE_MS; !(await holds()); await pause(100))
    if (performance.now() > ends) throw new Error(`it did not become true within ${DEADLINE_MS} ms: ${holds}`);
}

/** What stands where something failed with this code. */
export function failure(page: Page, code: string): Locator {
  return page.getByRole('note').filter({ has: page.getByRole('alert'), hasText: code });
}
