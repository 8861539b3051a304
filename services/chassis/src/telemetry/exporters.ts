import { getNumberFromEnv } from '@opentelemetry/core';
import { OTLPMetricExporter as MetricsByGrpc } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPMetricExporter as MetricsByJson } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as MetricsByProtobuf } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as SpansByGrpc } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as SpansByJson } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as SpansByProtobuf } from '@opentelemetry/exporter-trace-otlp-proto';
import { ConsoleMetricExporter, type MetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';

/**
 * Exporters as the specification's variables describe them, for what the SDK does not build by itself: readers of metrics
 * beside the one that we serve, and spans that go to a collector and into a file.
 */
const EXPORTERS = {
  grpc: { spans: () => new SpansByGrpc(), metrics: () => new MetricsByGrpc() },
  'http/json': { spans: () => new SpansByJson(), metrics: () => new MetricsByJson() },
  'http/protobuf': { spans: () => new SpansByProtobuf(), metrics: () => new MetricsByProtobuf() },
};

const DEFAULT_INTERVAL_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Sends spans by OTLP to where `OTEL_EXPORTER_OTLP_*` says. */
export function createSpanExporter(): SpanExporter {
  return exportersFor('TRACES').spans();
}

/** A reader for each of the named exporters that sends metrics by itself. */
export function createMetricReaders(exporters: readonly string[]): MetricReader[] {
  const exportIntervalMillis = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? DEFAULT_INTERVAL_MS;
  const longest = getNumberFromEnv('OTEL_METRIC_EXPORT_TIMEOUT') ?? DEFAULT_TIMEOUT_MS;
  const exportTimeoutMillis = Math.min(longest, exportIntervalMillis);
  const pushed = [
    ...(exporters.includes('otlp') ? [exportersFor('METRICS').metrics()] : []),
    ...(exporters.includes('console') ? [new ConsoleMetricExporter()] : []),
  ];
  return pushed.map(
    (exporter) => new PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis }),
  );
}

function exportersFor(signal: 'TRACES' | 'METRICS') {
  const protocol = process.env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] || process.env.OTEL_EXPORTER_OTLP_PROTOCOL;
  return EXPORTERS[protocol as keyof typeof EXPORTERS] ?? EXPORTERS['http/protobuf'];
}
