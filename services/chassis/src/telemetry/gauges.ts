import { type Attributes, metrics, type ObservableGauge } from '@opentelemetry/api';
import type { Logger } from '../log.ts';

/** One value of a gauge. */
export interface Reading<Name extends string> {
  readonly gauge: Name;
  readonly value: number;
  readonly attributes?: Attributes;
}

/** Gauges that are read together at every scrape, as unit and meaning by name. What cannot be read is left out and logged. */
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
  const observe: Parameters<typeof meter.addBatchObservableCallback>[0] = async (result) => {
    try {
      for (const { gauge, value, attributes } of await read()) {
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
