import { type Attributes, metrics } from '@opentelemetry/api';
import type pg from 'pg';
import { DURATION_BOUNDS } from '../telemetry/rpc.ts';
import { inSpan, isRecording, SpanKind } from '../telemetry/span.ts';
import { createStatementNamer } from './statement-name.ts';

type Query = (...args: unknown[]) => Promise<unknown> | undefined;

/** A duration for every statement of a pool, waiting for a connection included, a span inside a recorded trace, and gauges. */
export function observePool(pool: pg.Pool, database: string): void {
  const observe = statementObserver(database);
  pool.query = observe(pool.query.bind(pool) as Query) as typeof pool.query;
  pool.on('connect', (client) => {
    client.query = observe(client.query.bind(client) as Query) as typeof client.query;
  });
  const meter = metrics.getMeter('ces');
  const name = { 'db.client.connection.pool.name': database };
  meter.createObservableGauge('db.client.connection.count', { unit: '{connection}' }).addCallback((result) => {
    result.observe(pool.idleCount, { ...name, 'db.client.connection.state': 'idle' });
    result.observe(pool.totalCount - pool.idleCount, { ...name, 'db.client.connection.state': 'used' });
  });
  meter
    .createObservableGauge('db.client.connection.pending_requests', { unit: '{request}' })
    .addCallback((result) => result.observe(pool.waitingCount, name));
}

/** What takes a callback is the pool's own call to its connection, and is observed as the pool's. */
function statementObserver(database: string): (query: Query) => Query {
  const duration = metrics.getMeter('ces').createHistogram('db.client.operation.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  });
  const nameOf = createStatementNamer();
  return (query) =>
    (...args) => {
      if (typeof args.at(-1) === 'function') return query(...args);
      const { verb, summary } = nameOf(textOf(args[0]));
      const attributes = {
        'db.system.name': 'postgresql',
        'db.namespace': database,
        'db.operation.name': verb,
      };
      const began = performance.now();
      const run = () => query(...args) ?? Promise.resolve();
      const answer = isRecording() ? inStatementSpan(summary, attributes, run) : run();
      return answer.finally(() => duration.record((performance.now() - began) / 1_000, attributes));
    };
}

function inStatementSpan<T>(name: string, attributes: Attributes, run: () => Promise<T>): Promise<T> {
  return inSpan(name, { kind: SpanKind.CLIENT, attributes }, run);
}

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : String((query as { text?: unknown } | undefined)?.text ?? '');
}
