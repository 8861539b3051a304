import { metrics } from '@opentelemetry/api';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { expect, onTestFinished, test } from 'vitest';
import { observeGauges } from './gauges.ts';
import { createLogger } from './log.ts';

const logger = createLogger('test', 'silent');

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

test('a gauge that cannot be read in time is left out of a scrape, is read once at a time, and returns when it answers', async () => {
  const reader = new Reader();
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  onTestFinished(() => metrics.disable());
  const { promise: stuck, resolve } = Promise.withResolvers<readonly { gauge: 'a.stuck'; value: number }[]>();
  let asked = 0;
  const read = () => {
    asked += 1;
    return stuck;
  };
  const one = { unit: '1', description: 'a gauge of this test' };
  await using _stuck = observeGauges({ 'a.stuck': one }, read, logger);
  await using _well = observeGauges({ 'a.well': one }, async () => [{ gauge: 'a.well', value: 7 }], logger);
  const seen = async () => {
    const { resourceMetrics } = await reader.collect();
    const all = resourceMetrics.scopeMetrics.flatMap(({ metrics: found }) => found);
    return all.filter(({ dataPoints }) => dataPoints.length > 0).map(({ descriptor }) => descriptor.name);
  };
  expect(await seen()).toEqual(['a.well']);
  expect(await seen()).toEqual(['a.well']);
  expect(asked).toBe(1);
  resolve([{ gauge: 'a.stuck', value: 1 }]);
  expect((await seen()).sort()).toEqual(['a.stuck', 'a.well']);
});
