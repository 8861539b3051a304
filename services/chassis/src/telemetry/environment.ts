import type { TelemetryConfig } from './settings.ts';

export const SIGNALS = ['TRACES', 'METRICS', 'LOGS'] as const;
export type Signal = (typeof SIGNALS)[number];

/** Spans that wait to be sent at most, in every process. */
const QUEUED_SPANS = '8192';

/**
 * Runs `start` in an environment in which every variable of the specification that nobody has set says what our settings say.
 * The SDK reads its variables while it is built and never again.
 */
export function withSpecifiedEnvironment<T>(config: TelemetryConfig, start: () => T): T {
  const missing = Object.entries(defaultsOf(config)).filter(([name]) => !process.env[name]);
  Object.assign(process.env, Object.fromEntries(missing));
  try {
    return start();
  } finally {
    for (const [name] of missing) delete process.env[name];
  }
}

/** What `OTEL_<SIGNAL>_EXPORTER` names; `otlp` where only an endpoint is named, and nothing where neither is. */
export function exportersOf(signal: Signal, config: TelemetryConfig): readonly string[] {
  const named = process.env[`OTEL_${signal}_EXPORTER`] || defaultExporter(signal, config);
  const exporters = named.split(',').map((name) => name.trim());
  return exporters.includes('none') ? [] : exporters;
}

function defaultsOf(config: TelemetryConfig): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: config.otlpEndpoint,
    OTEL_TRACES_EXPORTER: defaultExporter('TRACES', config),
    OTEL_METRICS_EXPORTER: defaultExporter('METRICS', config),
    OTEL_LOGS_EXPORTER: defaultExporter('LOGS', config),
    OTEL_PROPAGATORS: 'tracecontext',
    OTEL_BSP_SCHEDULE_DELAY: String(config.traceDelayMs),
    OTEL_BSP_MAX_QUEUE_SIZE: QUEUED_SPANS,
  };
}

function defaultExporter(signal: Signal, { otlpEndpoint }: TelemetryConfig): string {
  return otlpEndpoint || process.env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ? 'otlp' : 'none';
}
