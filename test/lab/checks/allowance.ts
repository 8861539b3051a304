import type { Answered, Attempt } from '../load/attempt.ts';
import type { EntryRow, HoldRow, OperationRow, Snapshot, SubscriptionRow } from './snapshot.ts';

const SECOND = 1_000_000n;
const WEEK_SECONDS = 604_800n;
const FOR_EVER = 2n ** 62n;
/** Covers the longest fault of a trial plus the deadlines of a run. */
const WITHDRAWN_WITHIN = 120n * SECOND;

interface Units {
  readonly request: bigint;
  readonly delivered: bigint;
}

interface Interval {
  readonly name: string;
  /** Microseconds. A run always fits into one period. */
  readonly length: bigint;
  readonly limit: Units;
}

/** Units of one operation: held from `from` to `until`, and settled at `settled` if ever. */
interface Span {
  readonly operationId: bigint;
  readonly held: Units;
  readonly from: bigint;
  /** The latest instant at which they may have been held. */
  readonly until: bigint;
  /** False if `until` is only an upper bound. */
  readonly exact: boolean;
  readonly settled: { readonly at: bigint; readonly units: Units } | undefined;
}

/**
 * C5: settled and held units never exceed a limit, checked at every instant of a hold or
 * settlement.
 */
export function checkLimits(snapshot: Snapshot): string[] {
  return snapshot.subscriptions.flatMap((subscription) => {
    const spans = spansOf(snapshot, subscription.id);
    const instants = spans.flatMap(({ from, settled }) => (settled ? [from, settled.at] : [from]));
    return intervalsOf(subscription).flatMap((interval) =>
      instants.flatMap((at) => {
        const used = usedAt(spans, interval, at, 'least');
        const over = used.request > interval.limit.request || used.delivered > interval.limit.delivered;
        return over ? [`C5 subscription ${subscription.id}: ${show(used)} in the ${interval.name} at ${at}`] : [];
      }),
    );
  });
}

/**
 * C12: every refusal for a reached limit is justified at its instant, and every refused client has
 * a refusal on record.
 */
export function checkRefusals(snapshot: Snapshot, attempts: readonly Answered[]): string[] {
  const limits = snapshot.holds.filter((hold) => hold.refusal_code === 'request_limit_reached');
  const unjustified = snapshot.subscriptions.flatMap((subscription) => {
    const spans = spansOf(snapshot, subscription.id);
    const intervals = intervalsOf(subscription);
    return limits.flatMap((refusal) => {
      if (refusal.subscription_id !== subscription.id) return [];
      return intervals.some((interval) => isJustified(refusal, interval, spans))
        ? []
        : [`C12 operation ${refusal.operation_id} was refused at ${refusal.created} although it would have fitted`];
    });
  });
  const refused = attempts.filter(({ outcome }) => outcome.body.error?.code === 'request_limit_reached');
  const first = limits.reduce((least, { created }) => (created < least ? created : least), FOR_EVER);
  const unfounded = refused.filter(({ receivedAt }) => BigInt(receivedAt + 1) * 1000n < first);
  return [...unjustified, ...unfounded.map(({ key }) => `C12 key ${key} was refused and the ledger refused nothing`)];
}

/** C7: the report of a subscription equals its entries and holds. */
export function checkReports(snapshot: Snapshot, reports: ReadonlyMap<bigint, Attempt>): string[] {
  return [...reports].flatMap(([subscriptionId, { outcome }]) => {
    if (outcome.kind === 'lost' || outcome.status !== 200) return [`C7 no report of subscription ${subscriptionId}`];
    const entries = snapshot.entries.filter((entry) => entry.subscription_id === subscriptionId);
    const held = snapshot.holds.filter((hold) => hold.subscription_id === subscriptionId && hold.state === 'held');
    const sum = (pick: (entry: EntryRow) => bigint) =>
      Number(entries.reduce((total, entry) => total + pick(entry), 0n));
    const requests = sum((entry) => entry.request_units);
    const delivered = sum((entry) => entry.delivered_units);
    const expected = {
      usage: {
        request_units: requests,
        weekly_request_units: requests,
        delivered_units: delivered,
        weekly_delivered_units: delivered,
        fresh_evidence_units: sum((entry) => entry.fresh_evidence_units),
      },
      reservations: {
        request_units: Number(held.reduce((total, hold) => total + hold.request_units, 0n)),
        delivered_units: Number(held.reduce((total, hold) => total + hold.delivered_units, 0n)),
      },
    };
    const { usage, reservations } = outcome.body;
    const [said, is] = [sorted({ usage, reservations }), sorted(expected)];
    return said === is ? [] : [`C7 subscription ${subscriptionId} reports ${said}, the ledger says ${is}`];
  });
}

function isJustified(refusal: HoldRow, { name: _, ...interval }: Interval, spans: readonly Span[]): boolean {
  const used = usedAt(spans, { name: '', ...interval }, refusal.created, 'most');
  return (
    used.request + refusal.request_units > interval.limit.request ||
    used.delivered + refusal.delivered_units > interval.limit.delivered
  );
}

/**
 * Units settled in the interval that ends at `at`, plus units held then. `bound` decides about
 * holds with an uncertain end.
 */
function usedAt(spans: readonly Span[], { length }: Interval, at: bigint, bound: 'least' | 'most'): Units {
  let request = 0n;
  let delivered = 0n;
  for (const { from, until, exact, held, settled } of spans) {
    if (settled && settled.at <= at && settled.at > at - length) {
      request += settled.units.request;
      delivered += settled.units.delivered;
    } else if (from <= at && at < until && (exact || bound === 'most')) {
      request += held.request;
      delivered += held.delivered;
    }
  }
  return { request, delivered };
}

function spansOf(snapshot: Snapshot, subscriptionId: bigint): readonly Span[] {
  const entries = new Map(snapshot.entries.map((entry) => [entry.operation_id, entry]));
  const operations = new Map(snapshot.operations.map((operation) => [operation.id, operation]));
  return snapshot.holds.flatMap((hold): Span[] => {
    if (hold.subscription_id !== subscriptionId || hold.state === 'refused') return [];
    const entry = entries.get(hold.operation_id);
    return [
      {
        operationId: hold.operation_id,
        held: { request: hold.request_units, delivered: hold.delivered_units },
        from: hold.created,
        until: entry?.settled ?? endOf(hold, operations.get(hold.operation_id)),
        exact: hold.state !== 'void',
        settled: entry && {
          at: entry.settled,
          units: { request: entry.request_units, delivered: entry.delivered_units },
        },
      },
    ];
  });
}

/**
 * The ledger releases units before the operation is marked as failed. It releases withdrawn holds
 * soon.
 */
function endOf(hold: HoldRow, operation: OperationRow | undefined): bigint {
  if (hold.state === 'void' && !operation) return hold.created + WITHDRAWN_WITHIN;
  if (hold.state === 'held' || operation?.ended == null) return FOR_EVER;
  return BigInt(Math.ceil(operation.ended * 1_000_000));
}

function intervalsOf(subscription: SubscriptionRow): readonly Interval[] {
  const { window_seconds, ...limits } = subscription;
  const limit = (request: bigint, delivered: bigint) => ({ request, delivered });
  return [
    {
      name: 'window',
      length: window_seconds * SECOND,
      limit: limit(limits.window_request_units, limits.window_delivered_units),
    },
    {
      name: 'week',
      length: WEEK_SECONDS * SECOND,
      limit: limit(limits.week_request_units, limits.week_delivered_units),
    },
    { name: 'period', length: FOR_EVER, limit: limit(limits.period_request_units, limits.period_delivered_units) },
  ];
}

function show({ request, delivered }: Units): string {
  return `${request} request and ${delivered} delivered units`;
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
