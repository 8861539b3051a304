import { setTimeout as pause } from 'node:timers/promises';
import { failedCalls } from '../../drills/rolling/traffic.ts';
import { figuresOf, type Subscriber } from '../product/load.ts';
import type { Product } from '../product/product.ts';
import type { Report } from '../report.ts';
import { upgradeTo } from './install.ts';

/** Before the change and after it. */
const ALONGSIDE_MS = 3_000;

/** What operators do to a release that is in use: every pod is replaced, and no call may fail for it. */
export async function tryChanges(
  product: Product,
  subscriber: Subscriber,
  rate: number,
  report: Report,
): Promise<void> {
  await report.row('every pod replaced under calls', async () => {
    const load = subscriber.call('replaced', rate);
    await pause(ALONGSIDE_MS);
    const replaced = upgradeTo('--set-string defaults.podAnnotations.mark=replaced');
    const error = await product.shell(replaced).then(
      () => undefined,
      (reason: Error) => reason,
    );
    await pause(ALONGSIDE_MS);
    const attempts = await load.stop();
    const faults = failedCalls(attempts);
    if (error) faults.push(error.message);
    return { figures: figuresOf(attempts), faults };
  });
}
