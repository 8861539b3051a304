import { metrics } from '@opentelemetry/api';
import { DataPointType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';

/** Rankings by what became of asking the copy in the process, as the service's own metric says it. */
export type Outcomes = ReadonlyMap<string, number>;

/** Reads how rankings of this process were answered since it began. */
export type ReadOutcomes = () => Promise<Outcomes>;

const METRIC = 'ces.search.rankings';
/** The outcome of a ranking that the copy answered; of all others the database did. */
export const COPIED = 'copied';
/** The outcome where a copy is there that does not reach back so far. */
export const OLDER = 'older';

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Has metrics of this process counted; what was opened before is not. */
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

/** What came from one moment to a later one. */
export function between(before: Outcomes, after: Outcomes): Outcomes {
  const grown = [...after].map(([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)] as const);
  return new Map(grown.filter(([, count]) => count > 0));
}

/** For people: who ranked, and where the database had to, why; undefined where no copy was asked. */
export function rankedByText(outcomes: Outcomes): string | undefined {
  if (outcomes.size === 0) return undefined;
  const others = [...outcomes].filter(([outcome]) => outcome !== COPIED);
  const database = others.reduce((sum, [, count]) => sum + count, 0);
  const why = others.length > 0 ? ` (${others.map(([outcome, count]) => `${outcome} ${count}`).join(', ')})` : '';
  return `copy ${outcomes.get(COPIED) ?? 0}, database ${database}${why}`;
}
