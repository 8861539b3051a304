import { isDeepStrictEqual } from 'node:util';
import { makeCheck, type Say } from '../interop/row.ts';
import { evaluateAt, startChromium } from '../support/chromium.ts';
import { bundle } from './bundle.ts';
import type { FaultsSaw } from './faults.ts';
import { judgeFaults, startFaultyServer } from './faulty-server.ts';
import type { PageSaw } from './page.ts';
import type { Subscriber } from './runtimes.ts';

const EXPECTED: PageSaw = {
  companies: 2,
  units: { request: 1, delivered: 2, fresh: 0 },
  replayed: true,
  sameOperation: true,
  background: 1,
  refused: 'invalid_search',
  requestUnits: 2,
};

/** Lets pages in Chromium, bundled with the installed client, call the origin that they came from. */
export async function checkBrowser(say: Say, program: string, folder: string, subscriber: Subscriber): Promise<void> {
  await using chromium = await startChromium(program);
  console.log(`browser: Chromium ${chromium.version()}`);
  const script = await bundle(folder, 'page.ts');
  await makeCheck(say, 'browser', 'a page searches, replays, polls and is refused', async () => {
    const expression = `callFromPage(${JSON.stringify(subscriber.apiKey)})`;
    const saw = await evaluateAt<PageSaw>(chromium, subscriber.gateway, pageOf(script), expression);
    if (!isDeepStrictEqual(saw, EXPECTED)) throw new Error(JSON.stringify(saw));
    return `one operation for two calls, ${saw.requestUnits} request units in all, ${script.length} characters of script`;
  });
  const faults = pageOf(await bundle(folder, 'faults.ts'));
  await makeCheck(say, 'browser', 'faults', async () => {
    await using server = await startFaultyServer();
    const saw = await evaluateAt<FaultsSaw>(chromium, server.url, faults, "meetFaults('')");
    return judgeFaults(saw, server);
  });
}

function pageOf(script: string): string {
  return `<!doctype html><title>client</title><link rel="icon" href="data:,"><script>${script}</script>`;
}
