import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TelemetryConfig } from './settings.ts';
import { createTraceFile } from './trace-file.ts';

/** Whether callers are strangers (`edge`) or processes of ours. */
export type TelemetryPosition = 'edge' | 'inside';

/** Answers a scrape of this process's metrics; undefined before telemetry has started, as in tests that run a service inside. */
let scrape: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;

/**
 * Registers traces, metrics and their context for this process; to be called once, before anything is served. Instruments
 * and tracers made before it record nothing. Dispose it last: it sends what is left.
 */
export function startTelemetry(
  service: string,
  config: TelemetryConfig,
  position: TelemetryPosition = 'inside',
): AsyncDisposable {
  const resource = resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'ces',
    // In a container every program is process 1: only the name of the host tells replicas apart.
    'service.instance.id': `${hostname()}-${process.pid}`,
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const tracing = startTracing(resource, config, position);
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
  const metering = new MeterProvider({ resource, readers: [exporter] });
  metrics.setGlobalMeterProvider(metering);
  scrape = (request, response) => exporter.getMetricsRequestHandler(request, response);
  return {
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([tracing.shutdown(), metering.shutdown()]);
    },
  };
}

/** Answers with all metrics of this process as Prometheus text; false where there are none. */
export function answerScrape(request: IncomingMessage, response: ServerResponse): boolean {
  scrape?.(request, response);
  return scrape !== undefined;
}

function startTracing(resource: Resource, config: TelemetryConfig, position: TelemetryPosition): TracerProvider {
  const exporters: SpanExporter[] = [];
  if (config.traceFile) exporters.push(createTraceFile(config.traceFile));
  if (config.otlpEndpoint)
    exporters.push(new OTLPTraceExporter({ url: new URL('v1/traces', asFolder(config.otlpEndpoint)).href }));
  const provider = new TracerProvider({
    resource,
    sampler: exporters.length > 0 ? samplerOf(config.traceRatio, position) : new AlwaysOffSampler(),
    spanProcessors: exporters.map(
      (exporter) =>
        new BatchSpanProcessor({ exporter, scheduledDelayMillis: config.traceDelayMs, maxQueueSize: 8_192 }),
    ),
  });
  trace.setGlobalTracerProvider(provider);
  return provider;
}

/** What one of our processes decided holds for the whole trace; a caller from outside may not turn recording on. */
function samplerOf(ratio: number, position: TelemetryPosition): Sampler {
  const byRatio = new TraceIdRatioBasedSampler(ratio);
  return new ParentBasedSampler({ root: byRatio, ...(position === 'edge' && { remoteParentSampled: byRatio }) });
}

function asFolder(address: string): string {
  return address.endsWith('/') ? address : `${address}/`;
}
