import { createHash } from 'node:crypto';
import { type Attributes, metrics } from '@opentelemetry/api';
import type pg from 'pg';
import { DURATION_BOUNDS } from '../telemetry/rpc.ts';
import { inSpan, isRecording, SpanKind } from '../telemetry/span.ts';
import { nameStatement } from './statement-name.ts';

export interface StatementOptions {
  readonly database: string;
  /** Only if the texts are fixed and one plan suits all parameters. */
  readonly prepare: boolean;
  /** Statements of one event loop tick leave in one write. */
  readonly pipeline: boolean;
}

type Query = (...args: unknown[]) => Promise<unknown> | undefined;

const MAX_CACHED = 1_000;
/** Per connection; protects the server's memory from generated texts. */
const PREPARED = 300;

/** Prepares, batches and measures statements, including the wait for a connection. */
export function handleStatements(pool: pg.Pool, options: StatementOptions): void {
  const measured = measure(options.database);
  const preparedAs = options.prepare ? createPreparedNames() : () => undefined;
  pool.query = measured(pool.query.bind(pool) as Query) as typeof pool.query;
  pool.on('connect', (client) => {
    const { stream } = (client as pg.Client).connection;
    const send = client.query.bind(client) as Query;
    client.query = measured((...args) => {
      if (options.pipeline) {
        stream.cork();
        process.nextTick(() => stream.uncork());
      }
      return send(...prepared(args, preparedAs));
    }) as typeof client.query;
  });
}

function prepared(args: unknown[], preparedAs: (text: string) => string | undefined): unknown[] {
  const [text, values, ...rest] = args;
  if (typeof text !== 'string' || !Array.isArray(values)) return args;
  const name = preparedAs(text);
  return name === undefined ? args : [{ name, text, values }, ...rest];
}

function createPreparedNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= PREPARED) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
    return name;
  };
}

interface StatementFacts {
  readonly summary: string;
  readonly attributes: Attributes;
}

function createFacts(database: string): (text: string) => StatementFacts {
  const known = new Map<string, StatementFacts>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const { verb, summary } = nameStatement(text);
    const attributes = { 'db.system.name': 'postgresql', 'db.namespace': database, 'db.operation.name': verb };
    const facts = { summary, attributes };
    if (known.size < MAX_CACHED) known.set(text, facts);
    return facts;
  };
}

/** The pool's internal call has a callback and is already measured. */
function measure(database: string): (query: Query) => Query {
  const factsAbout = createFacts(database);
  const duration = metrics.getMeter('ces').createHistogram('db.client.operation.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  });
  return (query) =>
    (...args) => {
      if (typeof args.at(-1) === 'function') return query(...args);
      const { summary, attributes } = factsAbout(textOf(args[0]));
      const began = performance.now();
      const answer = isRecording()
        ? inSpan(summary, { kind: SpanKind.CLIENT, attributes }, () => query(...args) ?? Promise.resolve())
        : (query(...args) ?? Promise.resolve());
      const ended = () => duration.record((performance.now() - began) / 1_000, attributes);
      answer.then(ended, ended);
      return answer;
    };
}

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : String((query as { text?: unknown } | undefined)?.text ?? '');
}
