import type { TraceLine } from '@ces/chassis/telemetry/trace-file';

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface RequestCounts {
  readonly sum: { readonly rpcs: number; readonly statements: number };
  readonly rpcs: Counts;
  readonly statements: Counts;
}

/** Cached calls, whose number depends on time. Spans below them are not counted either. */
const KEPT_ANSWERS = new Set([
  'ces.ledger.v1.LedgerService/Authenticate',
  'ces.ledger.v1.LedgerService/GetSigningKeys',
  'ces.ledger.v1.CallLimitService/Take',
]);
/** Calls after which an operation is due to be marked as delivered. */
const LAST_POSTINGS = new Set(['ces.ledger.v1.LedgerService/Charge', 'ces.ledger.v1.LedgerService/Settle']);

/**
 * True when every span except the root has its parent in the trace: spans are exported when they
 * end.
 */
export function isWhole(trace: readonly TraceLine[]): boolean {
  const known = new Set(trace.map(({ span_id }) => span_id));
  const roots = trace.filter(({ parent_id }) => parent_id === undefined);
  return roots.length === 1 && trace.every(({ parent_id }) => parent_id === undefined || known.has(parent_id));
}

/**
 * The RPCs and statements of a request in its own trace. Leaves out cached answers, and marking
 * operations as delivered, which is batched and later than the answer.
 */
export function countsOf(trace: readonly TraceLine[]): RequestCounts {
  const counted = trace.filter((span) => !isBelowKeptAnswer(span, trace));
  const settledAt = Math.max(
    ...counted
      .filter(({ attributes }) => LAST_POSTINGS.has(String(attributes['rpc.method'])))
      .map(({ end_ms }) => end_ms),
  );
  const calls = counted.filter(({ kind, attributes }) => kind === 'server' && attributes['rpc.method'] !== undefined);
  const statements = counted
    .filter(({ attributes }) => attributes['db.namespace'] !== undefined)
    .filter(({ name, start_ms }) => name !== 'update operation' || !(start_ms >= settledAt))
    .map(({ name, attributes }) => [String(attributes['db.namespace']), name] as const);

  return {
    sum: { rpcs: calls.length, statements: statements.length },
    rpcs: countBy(calls.map(({ attributes }) => serviceAndMethod(String(attributes['rpc.method'])))),
    statements: countBy(statements),
  };
}

function isBelowKeptAnswer(span: TraceLine, trace: readonly TraceLine[]): boolean {
  if (KEPT_ANSWERS.has(String(span.attributes['rpc.method']))) return true;
  const parent = trace.find(({ span_id }) => span_id === span.parent_id);
  return parent !== undefined && isBelowKeptAnswer(parent, trace);
}

/** `ces.ledger.v1.LedgerService/Charge` gives `ledger` and `Charge`. */
function serviceAndMethod(rpc: string): readonly [string, string] {
  return [rpc.split('.')[1] ?? '', rpc.slice(rpc.indexOf('/') + 1)];
}

function countBy(pairs: readonly (readonly [string, string])[]): Counts {
  const services = Map.groupBy(
    pairs.toSorted(([a, b], [c, d]) => `${a} ${b}`.localeCompare(`${c} ${d}`)),
    ([service]) => service,
  );
  return Object.fromEntries(
    [...services].map(([service, own]) => {
      const names = Map.groupBy(own, ([, name]) => name);
      return [service, Object.fromEntries([...names].map(([name, all]) => [name, all.length]))];
    }),
  );
}
