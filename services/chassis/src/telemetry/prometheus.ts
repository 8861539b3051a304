import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { type CollectionResult, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';

/** Units of the field that have a word of their own in names of Prometheus; others stand there as they are. */
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
 * Shows metrics under the names that the specification of OpenTelemetry gives them for Prometheus, with their unit at the end, which the
 * library's own reader leaves out: dashboards that others made for such names fit. What is sent by OTLP keeps its names.
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

/** The same metric with its unit in its name, spelled out. */
function withUnit<M extends MetricData>(metric: M): M {
  const unit = wordOf(metric);
  return { ...metric, descriptor: { ...metric.descriptor, name: nameWith(metric.descriptor.name, unit), unit } };
}

/** Empty where the unit is none, or only says in braces what is counted. A share is called a ratio where it is no count. */
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
