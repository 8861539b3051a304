import { percentile } from '../support/figures.ts';
import { openVisit } from '../support/visit.ts';
import { enter, search } from './steps.ts';
import type { World } from './world.ts';

export interface Times {
  readonly firstContent: readonly number[];
  readonly drawn: readonly number[];
}

/**
 * Measures `rounds` visits without cache: from navigation to first contentful paint, and from the
 * last byte of a search to the frame with its companies.
 */
export async function measureTimes(world: World, rounds: number): Promise<Times> {
  const { token } = await world.subscribe();
  const firstContent: number[] = [];
  const drawn: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using visit = await openVisit(world);
    await visit.page.addInitScript({ content: WATCH });
    await visit.page.goto(`${world.baseUrl}/explore`);
    firstContent.push(await visit.page.evaluate<number>(FIRST_CONTENT));
    await enter(visit.page, world, token);
    await search(visit.page, 'cold storage companies opening a warehouse');
    await visit.page.getByRole('button', { name: 'Next page' }).waitFor();
    drawn.push(await visit.page.evaluate<number>('drawnAt() - answeredAt()'));
  }
  return { firstContent, drawn };
}

export function describeTimes(name: string, times: readonly number[], aim: number): string {
  const [median, slowest] = [percentile(times, 0.5), percentile(times, 1)].map((ms) => Math.round(ms));
  return `${name}: median ${median} ms, slowest of ${times.length} ${slowest} ms (aim ${aim} ms)`;
}

const FIRST_CONTENT = `new Promise((seen) => new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') seen(startTime);
}).observe({ type: 'paint', buffered: true }))`;

/**
 * Records the frame after the first company card entered the document, when it has been painted.
 */
const WATCH = `(() => {
  let drawn;
  new MutationObserver((_, observer) => {
    if (!document.querySelector('main article article')) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { drawn = performance.now(); };
      port2.postMessage(undefined);
    });
  }).observe(document, { childList: true, subtree: true });
  globalThis.drawnAt = () => drawn;
  globalThis.answeredAt = () => performance.getEntriesByType('resource')
    .findLast(({ name }) => name.endsWith('/api/companies/search')).responseEnd;
})();`;
