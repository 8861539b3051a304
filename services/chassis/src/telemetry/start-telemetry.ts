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
import { collectorCertificates } from './collector-certificates.ts';
import { exportersOf, withSpecifiedEnvironment } from './environment.ts';
import { createLogProcessors, createMetricReaders, createSpanExporter } from './exporters.ts';
import { observeProcess } from './process.ts';
import { PrometheusReader } from './prometheus.ts';
import { createSampler, type TelemetryPosition } from './sampler.ts';
import { serveScrapes } from './scrape.ts';
import type { TelemetryConfig } from './settings.ts';
import { createTraceFile } from './trace-file.ts';

/** How often the delay of the event loop is measured, in milliseconds; twice as often costs twice as much. */
const EVENT_LOOP_SAMPLE_MS = 20;
/** At shutdown, in milliseconds: what a collector that is away has not taken by then is lost. */
const FLUSH_WITHIN_MS = 5_000;

/**
 * Registers traces, metrics, logs and their context for this process, as the specification's environment variables and our
 * settings say; to be called once, before anything is served. Instruments and tracers made before it record nothing.
 * Dispose it last: it sends what is left.
 */
export function startTelemetry(
  service: string,
  config: TelemetryConfig,
  position: TelemetryPosition = 'inside',
): AsyncDisposable {
  const sdk = withSpecifiedEnvironment(config, () => startSdk(service, config, position));
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

/** What the environment's resource attributes overrule. */
function describeProcess(service: string) {
  return defaultResource().merge(
    resourceFromAttributes({
      'service.name': service,
      'service.namespace': 'ces',
      // In a container every program is process 1: only the name of the host tells replicas apart.
      'service.instance.id': `${hostname()}-${process.pid}`,
    }),
  );
}

function isTraced(config: TelemetryConfig): boolean {
  return config.traceFile !== '' || exportersOf('TRACES', config).length > 0;
}

/** Undefined: those that the environment describes. Without any, spans are made all the same: logs carry their ids. */
function spanProcessorsOf(config: TelemetryConfig): SpanProcessor[] | undefined {
  if (!isTraced(config)) return [new NoopSpanProcessor()];
  if (!config.traceFile) return undefined;
  const exporters: SpanExporter[] = [createTraceFile(config.traceFile)];
  if (exportersOf('TRACES', config).includes('otlp')) exporters.push(createSpanExporter(config));
  const scheduledDelayMillis = Number(process.env.OTEL_BSP_SCHEDULE_DELAY);
  const maxQueueSize = Number(process.env.OTEL_BSP_MAX_QUEUE_SIZE);
  return exporters.map((exporter) => new BatchSpanProcessor({ exporter, scheduledDelayMillis, maxQueueSize }));
}

/** Where spans go to a collector alone, with certificates that are renewed; nothing where the SDK builds what the environment describes. */
function renewedSpanExporter(config: TelemetryConfig): { traceExporter?: SpanExporter } {
  if (!collectorCertificates('TRACES', config) || exportersOf('TRACES', config).length > 1) return {};
  return { traceExporter: createSpanExporter(config) };
}
