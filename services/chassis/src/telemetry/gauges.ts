import { setTimeout as pause } from 'node:timers/promises';
import { type Attributes, metrics, type ObservableGauge } from '@opentelemetry/api';
import type { Logger } from './log.ts';

export interface Reading<Name extends string> {
  readonly gauge: Name;
  readonly value: number;
  readonly attributes?: Attributes;
}

/** A stuck database must not block the whole scrape. */
const READ_WITHIN_MS = 1_000;

/** Together at every scrape. A failed or late read is logged and omitted. */
export function observeGauges<Name extends string>(
  gauges: Readonly<Record<Name, { readonly unit: string; readonly description: string }>>,
  read: () => Promise<readonly Reading<Name>[]>,
  logger: Logger,
): AsyncDisposable {
  const meter = metrics.getMeter('ces');
  const made = new Map<Name, ObservableGauge>(
    (Object.keys(gauges) as Name[]).map((name) => [name, meter.createObservableGauge(name, gauges[name])]),
  );
  const observed = [...made.values()];
  let reading: Promise<readonly Reading<Name>[]> | undefined;
  // Reads of a stuck database must not pile up.
  const readInTime = async () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    const late = new AbortController();
    const timer = pause(READ_WITHIN_MS, undefined, { signal: late.signal }).then(() => {
      throw new Error(`no answer within ${READ_WITHIN_MS} ms`);
    });
    try {
      return await Promise.race([reading, timer]);
    } finally {
      timer.catch(() => undefined);
      late.abort();
    }
  };
  const observe: Parameters<typeof meter.addBatchObservableCallback>[0] = async (result) => {
    try {
      for (const { gauge, value, attributes } of await readInTime()) {
        const instrument = made.get(gauge);
        if (instrument) result.observe(instrument, value, attributes);
      }
    } catch (error) {
      logger.warn({ err: error }, 'gauges could not be read');
    }
  };
  meter.addBatchObservableCallback(observe, observed);
  return { [Symbol.asyncDispose]: async () => meter.removeBatchObservableCallback(observe, observed) };
}
