import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { Subscriber } from '../../support/subscriber.ts';
import type { World } from './world.ts';

export async function enter(page: Page, world: World, apiKey: string, path = ''): Promise<void> {
  await page.goto(`${world.baseUrl}/explore${path}`);
  await page.getByLabel('API key', { exact: true }).fill(apiKey);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByRole('button', { name: 'Use this key' }).waitFor({ state: 'detached' });
}

export async function settled(
  subscriber: Subscriber,
): Promise<{ readonly request: number; readonly delivered: number }> {
  const { body } = await subscriber.report();
  return { request: body.usage.request_units, delivered: body.usage.delivered_units };
}

export function same(what: string, seen: unknown, wanted: unknown): void {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${what}: ${one} was seen, ${other} was to be seen`);
}

export function includes(what: string, text: string | null, part: string): void {
  if (!text?.includes(part)) throw new Error(`${what}: “${part}” is not in “${text}”`);
}

export async function search(page: Page, query: string): Promise<void> {
  await page.getByLabel('What are the companies doing?').fill(query);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
}

const DEADLINE_MS = 15_000;

export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const ends = performance.now() + DEADLINE_MS; !(await holds()); await pause(100))
    if (performance.now() > ends) throw new Error(`it did not become true within ${DEADLINE_MS} ms: ${holds}`);
}

export function failure(page: Page, code: string): Locator {
  return page.getByRole('note').filter({ has: page.getByRole('alert'), hasText: code });
}
