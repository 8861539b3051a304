import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import {
  defaultResource,
  envDetector,
  hostDetector,
  osDetector,
  processDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  NoopSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import { serveScrapes } from '../telemetry/scrape.ts';
import type { TelemetryConfig } from '../telemetry/settings.ts';
import { createTraceFile } from '../telemetry/trace-file.ts';
import { collectorCertificates } from './collector-certificates.ts';
import { exportersOf, withOtelDefaults } from './environment.ts';
import { createLogProcessors, createMetricReaders, createSpanExporter } from './exporters.ts';
import { observeProcess } from './process.ts';
import { PrometheusReader } from './prometheus.ts';
import { createSampler, type TelemetryPosition } from './sampler.ts';

const EVENT_LOOP_SAMPLE_MS = 20;
const FLUSH_WITHIN_MS = 5_000;

/** Call it before anything is served, and dispose it last: disposal sends what is left. */
export function startTelemetry(
  service: string,
  config: TelemetryConfig,
  position: TelemetryPosition = 'inside',
): AsyncDisposable {
  const sdk = withOtelDefaults(config, () => startSdk(service, config, position));
  return {
    async [Symbol.asyncDispose]() {
      serveScrapes(undefined);
      const late = new AbortController();
      const timer = pause(FLUSH_WITHIN_MS, undefined, { signal: late.signal });
      await Promise.race([Promise.allSettled([sdk.shutdown()]), timer]);
      timer.catch(() => undefined);
      late.abort();
    },
  };
}

function startSdk(service: string, config: TelemetryConfig, position: TelemetryPosition): NodeSDK {
  const spanProcessors = spanProcessorsOf(config);
  const logRecordProcessors = createLogProcessors(config);
  const prometheus = new PrometheusReader();
  const sdk = new NodeSDK({
    resource: describeProcess(service),
    ...(!process.env.OTEL_NODE_RESOURCE_DETECTORS && {
      resourceDetectors: [hostDetector, osDetector, processDetector, envDetector],
    }),
    sampler: isTraced(config) ? createSampler(config.traceRatio, position, process.env) : new AlwaysOffSampler(),
    ...(spanProcessors ? { spanProcessors } : renewedSpanExporter(config)),
    ...(logRecordProcessors && { logRecordProcessors }),
    metricReaders: [prometheus, ...createMetricReaders(config)],
    instrumentations: [new RuntimeNodeInstrumentation({ monitoringPrecision: EVENT_LOOP_SAMPLE_MS })],
  });
  sdk.start();
  observeProcess();
  if (process.env.OTEL_SDK_DISABLED?.toLowerCase() !== 'true')
    serveScrapes((request, response) => prometheus.getMetricsRequestHandler(request, response));
  return sdk;
}

/** `OTEL_RESOURCE_ATTRIBUTES` overrides these attributes. */
function describeProcess(service: string) {
  return defaultResource().merge(
    resourceFromAttributes({
      'service.name': service,
      'service.namespace': 'ces',
      // Every container's main process has PID 1, so only the host name differs between replicas.
      'service.instance.id': `${hostname()}-${process.pid}`,
    }),
  );
}

function isTraced(config: TelemetryConfig): boolean {
  return config.traceFile !== '' || exportersOf('TRACES', config).length > 0;
}

/** Undefined: the SDK decides. Spans exist even without exporters, because logs carry their ids. */
function spanProcessorsOf(config: TelemetryConfig): SpanProcessor[] | undefined {
  if (!isTraced(config)) return [new NoopSpanProcessor()];
  if (!config.traceFile) return undefined;
  const exporters: SpanExporter[] = [createTraceFile(config.traceFile)];
  if (exportersOf('TRACES', config).includes('otlp')) exporters.push(createSpanExporter(config));
  const scheduledDelayMillis = Number(process.env.OTEL_BSP_SCHEDULE_DELAY);
  const maxQueueSize = Number(process.env.OTEL_BSP_MAX_QUEUE_SIZE);
  return exporters.map((exporter) => new BatchSpanProcessor({ exporter, scheduledDelayMillis, maxQueueSize }));
}

function renewedSpanExporter(config: TelemetryConfig): { traceExporter?: SpanExporter } {
  if (!collectorCertificates('TRACES', config) || exportersOf('TRACES', config).length > 1) return {};
  return { traceExporter: createSpanExporter(config) };
}
