import { randomBytes } from 'node:crypto';
import { freePort } from '@ces/servers/ports';
import { expect, onTestFinished, test } from 'vitest';
import { attributesOf, type Collector, startCollector } from '../support/collector.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { KEY, startLoneGateway } from './lone-gateway.ts';

const POLLING = { timeout: 60_000, interval: 100 };
const QUICK = {
  CES_TRACE_RATIO: '1',
  CES_TRACE_DELAY_MS: '50',
  OTEL_BLRP_SCHEDULE_DELAY: '50',
  OTEL_METRIC_EXPORT_INTERVAL: '200',
};
const SLOW = {
  CES_TRACE_RATIO: '1',
  CES_TRACE_DELAY_MS: '60000',
  OTEL_BLRP_SCHEDULE_DELAY: '60000',
  OTEL_METRIC_EXPORT_INTERVAL: '60000',
};

async function collector(): Promise<Collector> {
  const started = await startCollector();
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

async function call({ url }: ServiceProcess, traceparent?: string): Promise<string> {
  const answer = await fetch(`${url}/api/companies?ids=1`, {
    headers: { authorization: `Bearer ${KEY}`, ...(traceparent && { traceparent }) },
  });
  await answer.arrayBuffer();
  return answer.headers.get('traceparent')?.split('-')[1] ?? '';
}

async function stop({ child, ended }: ServiceProcess): Promise<string> {
  child.kill('SIGTERM');
  return await ended;
}

test('traces, metrics and logs go to the collector that the environment names, with what it says of the process', async () => {
  const to = await collector();
  const served = await startLoneGateway({
    ...QUICK,
    OTEL_EXPORTER_OTLP_ENDPOINT: to.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=of-this-test',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.namespace=named',
    OTEL_TRACES_SAMPLER: 'always_on',
  });
  const traceId = await call(served);
  const span = () => to.received('traces').find((one) => one.traceId === traceId && one.name === 'GET /api/companies');
  await expect.poll(span, POLLING).toBeDefined();
  const line = () => to.received('logs').find((one) => one.traceId === traceId && one.body?.stringValue === 'call');
  await expect.poll(line, POLLING).toMatchObject({ severityText: 'INFO' });
  const metrics = () => to.received('metrics').map(({ name }) => name);
  await expect.poll(metrics, POLLING).toContain('http.server.request.duration');
  expect(metrics()).toContain('nodejs.eventloop.utilization');
  expect(attributesOf(line()?.attributes)).toMatchObject({ method: 'GET', route: '/api/companies' });
  for (const { resource } of [span(), line(), ...to.received('metrics')].map((one) => one ?? { resource: {} }))
    expect(resource).toMatchObject({
      'service.name': 'gateway',
      'service.namespace': 'named',
      'deployment.environment.name': 'test',
      'host.name': expect.any(String),
      'process.pid': served.child.pid,
    });
  expect(to.requests.filter(({ headers }) => headers['x-tenant'] !== 'of-this-test')).toEqual([]);
  expect(to.requests.filter(({ body }) => body.includes(KEY))).toEqual([]);
});

test('a signal has its own address, or none; the served text still has all metrics', async () => {
  const to = await collector();
  const served = await startLoneGateway({
    ...QUICK,
    OTEL_EXPORTER_OTLP_ENDPOINT: to.url,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${to.url}/elsewhere`,
    OTEL_METRICS_EXPORTER: 'none',
  });
  await call(served);
  const paths = () => [...new Set(to.requests.map(({ path }) => path))].sort();
  await expect.poll(paths, POLLING).toEqual(['/elsewhere', '/v1/traces']);
  expect(new Set(to.requests.map(({ headers }) => headers['content-type']))).toEqual(
    new Set(['application/x-protobuf']),
  );
  const text = await (await fetch(`${served.adminUrl}/metrics`)).text();
  expect(text).toContain('http_server_request_duration_seconds_count{');
  expect(text).toContain('nodejs_eventloop_delay_p99_seconds');
});

test('a disabled SDK sends and shows nothing, and calls are served with a trace context', async () => {
  const to = await collector();
  const served = await startLoneGateway({ ...QUICK, OTEL_EXPORTER_OTLP_ENDPOINT: to.url, OTEL_SDK_DISABLED: 'true' });
  const traceId = randomBytes(16).toString('hex');
  expect(await call(served, `00-${traceId}-${randomBytes(8).toString('hex')}-01`)).toBe(traceId);
  expect((await fetch(`${served.adminUrl}/metrics`)).status).toBe(404);
  expect(await stop(served)).toBe('0');
  expect(to.requests).toEqual([]);
});

test('unsent data is sent at shutdown, and nothing after it', async () => {
  const to = await collector();
  const served = await startLoneGateway({ ...SLOW, OTEL_EXPORTER_OTLP_ENDPOINT: to.url });
  await call(served);
  expect(await stop(served)).toBe('0');
  expect(new Set(to.requests.map(({ path }) => path))).toEqual(new Set(['/v1/traces', '/v1/metrics', '/v1/logs']));
});

test('a collector that is away delays neither calls nor the end', async () => {
  const served = await startLoneGateway({
    ...QUICK,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort(0)}`,
    // The exporters' own timeouts are longer than this test may take.
    OTEL_EXPORTER_OTLP_TIMEOUT: '3600000',
    OTEL_BSP_EXPORT_TIMEOUT: '3600000',
    OTEL_BLRP_EXPORT_TIMEOUT: '3600000',
  });
  for (let calls = 0; calls < 20; calls += 1) expect(await call(served)).not.toBe('');
  expect(await stop(served)).toBe('0');
});
