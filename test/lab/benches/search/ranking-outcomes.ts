import { metrics } from '@opentelemetry/api';
import { DataPointType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';

/** Number of rankings by outcome of the memory index, from the service's own metric. */
export type Outcomes = ReadonlyMap<string, number>;

export type ReadOutcomes = () => Promise<Outcomes>;

const METRIC = 'ces.search.rankings';
/** The memory index ranked. With all other outcomes the database did. */
export const RANKED = 'ranked';
/** The memory index does not reach back far enough. */
export const OLDER = 'older';

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Registers the metrics reader. Meters created before stay unread. */
export function countOutcomes(): ReadOutcomes {
  const reader = new Reader();
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  return async () => {
    const { resourceMetrics } = await reader.collect();
    const points = resourceMetrics.scopeMetrics
      .flatMap((scope) => scope.metrics)
      .filter(({ descriptor }) => descriptor.name === METRIC)
      .flatMap((metric) => (metric.dataPointType === DataPointType.SUM ? metric.dataPoints : []));
    return new Map(points.map(({ attributes, value }) => [String(attributes.outcome), value]));
  };
}

export function between(before: Outcomes, after: Outcomes): Outcomes {
  const grown = [...after].map(([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)] as const);
  return new Map(grown.filter(([, count]) => count > 0));
}

/**
 * Describes how many rankings each index answered, and why the database had to. Undefined without a
 * memory index.
 */
export function rankedByText(outcomes: Outcomes): string | undefined {
  if (outcomes.size === 0) return undefined;
  const others = [...outcomes].filter(([outcome]) => outcome !== RANKED);
  const database = others.reduce((sum, [, count]) => sum + count, 0);
  const why = others.length > 0 ? ` (${others.map(([outcome, count]) => `${outcome} ${count}`).join(', ')})` : '';
  return `memory ${outcomes.get(RANKED) ?? 0}, database ${database}${why}`;
}
