import { afterEach, expect, test, vi } from 'vitest';
import { exportersOf, withOtelDefaults } from './environment.ts';

const NOWHERE = { otlpEndpoint: '', traceFile: '', traceRatio: 1, traceDelayMs: 100, logLevel: 'info' } as const;
const SOMEWHERE = { ...NOWHERE, otlpEndpoint: 'http://127.0.0.1:1' };

afterEach(() => {
  vi.unstubAllEnvs();
});

function read(name: string) {
  return process.env[name];
}

test('without an endpoint and an exporter nothing is sent; an endpoint is enough for a signal', () => {
  for (const signal of ['TRACES', 'METRICS', 'LOGS'] as const) {
    expect(exportersOf(signal, NOWHERE)).toEqual([]);
    expect(exportersOf(signal, SOMEWHERE)).toEqual(['otlp']);
  }
  vi.stubEnv('OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', 'http://127.0.0.1:1/logs');
  expect(exportersOf('LOGS', NOWHERE)).toEqual(['otlp']);
  expect(exportersOf('TRACES', NOWHERE)).toEqual([]);
});

test('an exporter that is named wins over an endpoint', () => {
  vi.stubEnv('OTEL_TRACES_EXPORTER', 'none');
  vi.stubEnv('OTEL_METRICS_EXPORTER', 'otlp,console');
  expect(exportersOf('TRACES', SOMEWHERE)).toEqual([]);
  expect(exportersOf('METRICS', NOWHERE)).toEqual(['otlp', 'console']);
});

test("our settings fill in for the specification's while the SDK starts, and never overrule them", () => {
  expect(withOtelDefaults(SOMEWHERE, () => read('OTEL_BSP_SCHEDULE_DELAY'))).toBe('100');
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '7');
  expect(withOtelDefaults(SOMEWHERE, () => read('OTEL_BSP_SCHEDULE_DELAY'))).toBe('7');
  expect(read('OTEL_BSP_SCHEDULE_DELAY')).toBe('7');
  expect(read('OTEL_TRACES_EXPORTER')).toBeUndefined();
});
