import { type Attributes, metrics } from '@opentelemetry/api';
import type pg from 'pg';
import { DURATION_BOUNDS } from './rpc.ts';
import { inSpan, isRecording, SpanKind } from './span.ts';

/** Names of statements that were seen; statements are texts of our own, so there are few. */
const NAMES_KEPT = 1_000;

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
  const known = new Map<string, string>();
  return (query) =>
    (...args) => {
      if (typeof args.at(-1) === 'function') return query(...args);
      const text = textOf(args[0]);
      const attributes = {
        'db.system.name': 'postgresql',
        'db.namespace': database,
        'db.operation.name': verbOf(text),
      };
      const began = performance.now();
      const run = () => query(...args) ?? Promise.resolve();
      const answer = isRecording() ? inStatementSpan(nameOf(text, known), attributes, run) : run();
      return answer.finally(() => duration.record((performance.now() - began) / 1_000, attributes));
    };
}

function inStatementSpan<T>(name: string, attributes: Attributes, run: () => Promise<T>): Promise<T> {
  return inSpan(name, { kind: SpanKind.CLIENT, attributes }, run);
}

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : String((query as { text?: unknown } | undefined)?.text ?? '');
}

function verbOf(text: string): string {
  return /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
}

/** Verb and first table, for example `update job`: short, and without any value. */
function nameOf(text: string, known: Map<string, string>): string {
  const found = known.get(text);
  if (found !== undefined) return found;
  const verb = verbOf(text);
  const table = /\b(?:from|into|update|join)\s+(?!\(|lateral\b|unnest\b)([a-z_]\w*)/i.exec(text)?.[1]?.toLowerCase();
  const name = table ? `${verb} ${table}` : verb;
  if (known.size < NAMES_KEPT) known.set(text, name);
  return name;
}
