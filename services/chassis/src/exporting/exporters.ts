import { getNumberFromEnv } from '@opentelemetry/core';
import { OTLPLogExporter as LogsByGrpc } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPLogExporter as LogsByJson } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as LogsByProtobuf } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter as MetricsByGrpc } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPMetricExporter as MetricsByJson } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as MetricsByProtobuf } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as SpansByGrpc } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as SpansByJson } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as SpansByProtobuf } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  BatchLogRecordProcessor,
  ConsoleLogRecordExporter,
  type LogRecordProcessor,
  SimpleLogRecordProcessor,
} from '@opentelemetry/sdk-logs';
import { ConsoleMetricExporter, type MetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TelemetryConfig } from '../telemetry/settings.ts';
import type { WatchOptions } from '../tls/watched-certificates.ts';
import { collectorCertificates } from './collector-certificates.ts';
import { renewingAgents, renewingCredentials } from './collector-connections.ts';
import { exportersOf, type Signal } from './environment.ts';

type Tls = WatchOptions | undefined;

const overGrpc = (tls: Tls) => (tls ? { credentials: renewingCredentials(tls) } : {});
const overHttp = (tls: Tls) => (tls ? { httpAgentOptions: renewingAgents(tls) } : {});

/** The SDK does not build these from the environment. */
const EXPORTERS = {
  grpc: {
    spans: (tls: Tls) => new SpansByGrpc(overGrpc(tls)),
    metrics: (tls: Tls) => new MetricsByGrpc(overGrpc(tls)),
    logs: (tls: Tls) => new LogsByGrpc(overGrpc(tls)),
  },
  'http/json': {
    spans: (tls: Tls) => new SpansByJson(overHttp(tls)),
    metrics: (tls: Tls) => new MetricsByJson(overHttp(tls)),
    logs: (tls: Tls) => new LogsByJson(overHttp(tls)),
  },
  'http/protobuf': {
    spans: (tls: Tls) => new SpansByProtobuf(overHttp(tls)),
    metrics: (tls: Tls) => new MetricsByProtobuf(overHttp(tls)),
    logs: (tls: Tls) => new LogsByProtobuf(overHttp(tls)),
  },
};

const DEFAULT_INTERVAL_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 30_000;

export function createSpanExporter(config: TelemetryConfig): SpanExporter {
  return exportersFor('TRACES').spans(collectorCertificates('TRACES', config));
}

export function createMetricReaders(config: TelemetryConfig): MetricReader[] {
  const exporters = exportersOf('METRICS', config);
  const exportIntervalMillis = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? DEFAULT_INTERVAL_MS;
  const longest = getNumberFromEnv('OTEL_METRIC_EXPORT_TIMEOUT') ?? DEFAULT_TIMEOUT_MS;
  const exportTimeoutMillis = Math.min(longest, exportIntervalMillis);
  const pushed = [
    ...(exporters.includes('otlp') ? [exportersFor('METRICS').metrics(collectorCertificates('METRICS', config))] : []),
    ...(exporters.includes('console') ? [new ConsoleMetricExporter()] : []),
  ];
  return pushed.map(
    (exporter) => new PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis }),
  );
}

/** Undefined without certificates: the SDK then builds its own processors. */
export function createLogProcessors(config: TelemetryConfig): LogRecordProcessor[] | undefined {
  const tls = collectorCertificates('LOGS', config);
  if (!tls) return undefined;
  const batch = new BatchLogRecordProcessor({ exporter: exportersFor('LOGS').logs(tls), ...batchOfLogs() });
  if (!exportersOf('LOGS', config).includes('console')) return [batch];
  return [batch, new SimpleLogRecordProcessor({ exporter: new ConsoleLogRecordExporter() })];
}

function batchOfLogs() {
  const options = {
    maxQueueSize: getNumberFromEnv('OTEL_BLRP_MAX_QUEUE_SIZE'),
    scheduledDelayMillis: getNumberFromEnv('OTEL_BLRP_SCHEDULE_DELAY'),
    exportTimeoutMillis: getNumberFromEnv('OTEL_BLRP_EXPORT_TIMEOUT'),
    maxExportBatchSize: getNumberFromEnv('OTEL_BLRP_MAX_EXPORT_BATCH_SIZE'),
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value > 0));
}

function exportersFor(signal: Signal) {
  const protocol = process.env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] || process.env.OTEL_EXPORTER_OTLP_PROTOCOL;
  return EXPORTERS[protocol as keyof typeof EXPORTERS] ?? EXPORTERS['http/protobuf'];
}
