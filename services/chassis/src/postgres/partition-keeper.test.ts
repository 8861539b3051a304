import { metrics } from '@opentelemetry/api';
import { type DataPoint, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { afterAll, expect, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { startPartitionKeeper } from './partition-keeper.ts';

const gauge = { name: 'a.left', unit: 'd', description: 'what is left' };
const logger = createLogger('test', 'silent');

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const reader = new Reader();
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
afterAll(() => metrics.disable());

test.each([
  ['after good ones', 90, 'a_table'],
  ['from the start', undefined, 'unknown'],
])('passes that fail %s leave nothing in the gauge, and a good one all that is left', async (_, left, table) => {
  let found: number | undefined = left;
  const create = async () => {
    if (found === undefined) throw new Error('a fault of this test');
    return [{ name: 'a_table', left: found }];
  };
  const seen = async () => {
    const { resourceMetrics } = await reader.collect();
    const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
    const points = all.flatMap(({ dataPoints }): DataPoint<unknown>[] => [...dataPoints]);
    return Object.fromEntries(points.map(({ value, attributes }) => [attributes.table, value]));
  };
  await using _keeper = startPartitionKeeper({ create, everyMs: 5, gauge, logger });
  if (left !== undefined) await expect.poll(seen).toMatchObject({ a_table: left });
  found = undefined;
  await expect.poll(seen).toMatchObject({ [table]: 0 });
  found = 60;
  await expect.poll(seen).toMatchObject({ a_table: 60 });
});
