import type { TelemetryConfig } from '../telemetry/settings.ts';

export const SIGNALS = ['TRACES', 'METRICS', 'LOGS'] as const;
export type Signal = (typeof SIGNALS)[number];

const QUEUED_SPANS = '8192';

/** Our settings are defaults of unset `OTEL_*` variables, which the SDK reads at construction. */
export function withOtelDefaults<T>(config: TelemetryConfig, start: () => T): T {
  const missing = Object.entries(defaultsOf(config)).filter(([name]) => !process.env[name]);
  Object.assign(process.env, Object.fromEntries(missing));
  try {
    return start();
  } finally {
    for (const [name] of missing) delete process.env[name];
  }
}

/** Default: `otlp` if an endpoint is set, else none. */
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
