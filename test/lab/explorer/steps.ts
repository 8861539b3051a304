import type { Page } from 'playwright-core';
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
