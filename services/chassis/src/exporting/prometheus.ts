import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { type CollectionResult, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';

/** Spelled out in Prometheus names; other units stay as they are. */
const WORDS = new Map([
  ['d', 'days'],
  ['h', 'hours'],
  ['min', 'minutes'],
  ['s', 'seconds'],
  ['ms', 'milliseconds'],
  ['us', 'microseconds'],
  ['ns', 'nanoseconds'],
  ['By', 'bytes'],
  ['KiBy', 'kibibytes'],
  ['MiBy', 'mebibytes'],
  ['GiBy', 'gibibytes'],
  ['%', 'percent'],
]);

type CollectOptions = Parameters<PrometheusExporter['collect']>[0];

/**
 * Adds the unit suffix that OpenTelemetry's Prometheus specification requires and the SDK omits.
 */
export class PrometheusReader extends PrometheusExporter {
  constructor() {
    super({ preventServerStart: true, withoutScopeInfo: true });
  }

  override async collect(options?: CollectOptions): Promise<CollectionResult> {
    const { resourceMetrics, errors } = await super.collect(options);
    const scopeMetrics = resourceMetrics.scopeMetrics.map((scope) => ({
      ...scope,
      metrics: scope.metrics.map(withUnit),
    }));
    return { resourceMetrics: { ...resourceMetrics, scopeMetrics }, errors };
  }
}

function withUnit<M extends MetricData>(metric: M): M {
  const unit = wordOf(metric);
  return { ...metric, descriptor: { ...metric.descriptor, name: nameWith(metric.descriptor.name, unit), unit } };
}

/** Drops annotations in braces. A gauge with unit `1` gets the suffix `ratio`. */
function wordOf({ descriptor, dataPointType }: MetricData): string {
  const unit = descriptor.unit.replaceAll(/\{[^{}]*\}/g, '');
  if (unit === '1') return dataPointType === DataPointType.GAUGE ? 'ratio' : '';
  const [of = '', per] = unit.split('/');
  const word = WORDS.get(of) ?? of;
  return per === undefined || per === ''
    ? word
    : [word, 'per', WORDS.get(per)?.replace(/s$/, '') ?? per].filter(Boolean).join('_');
}

function nameWith(name: string, unit: string): string {
  if (unit === '' || name.split(/[._]/).includes(unit)) return name;
  return `${name.replace(/_total$/, '')}_${unit}`;
}
