import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { expect, test } from 'vitest';
import { PrometheusReader } from './prometheus.ts';

async function scrape(reader: PrometheusReader): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const response = { setHeader: () => undefined, end: resolve };
  reader.getMetricsRequestHandler({} as never, response as never);
  return await promise;
}

test('a metric is shown with its unit at the end of its name, as the specification says', async () => {
  const reader = new PrometheusReader();
  const meter = new MeterProvider({ readers: [reader] }).getMeter('test');
  meter.createHistogram('http.server.request.duration', { unit: 's' }).record(1);
  meter.createCounter('nodejs.eventloop.time', { unit: 's' }).add(1);
  meter.createUpDownCounter('process.memory.usage', { unit: 'By' }).add(1);
  meter.createGauge('nodejs.eventloop.utilization', { unit: '1' }).record(1);
  meter.createCounter('shares', { unit: '1' }).add(1);
  meter.createGauge('ces.operations.partition.headroom', { unit: '{operation}' }).record(1);
  meter.createCounter('ces.lease.lost').add(1);
  meter.createGauge('left.days', { unit: 'd' }).record(1);
  meter.createGauge('speed', { unit: 'By/s' }).record(1);
  const text = await scrape(reader);
  const names = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  expect(names).toEqual([
    'target_info gauge',
    'http_server_request_duration_seconds histogram',
    'nodejs_eventloop_time_seconds_total counter',
    'process_memory_usage_bytes gauge',
    'nodejs_eventloop_utilization_ratio gauge',
    'shares_total counter',
    'ces_operations_partition_headroom gauge',
    'ces_lease_lost_total counter',
    'left_days gauge',
    'speed_bytes_per_second gauge',
  ]);
  expect(text).toContain('# UNIT http_server_request_duration_seconds seconds\n');
});
