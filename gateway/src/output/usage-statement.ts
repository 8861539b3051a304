import type { GetUsageStatementResponse, StatementEntry } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { actionName } from '@ces/proto/operations';
import type { UsageStatement } from '../schema/usage-statement.ts';
import { counts } from './operation.ts';
import { renderSubscription } from './usage-report.ts';
import { formatInstant, requireValue } from './values.ts';

export function renderUsageStatement(statement: GetUsageStatementResponse): UsageStatement {
  return {
    subscription: renderSubscription(requireValue(statement.subscription, 'subscription')),
    since: formatInstant(statement.since, 'since'),
    until: formatInstant(statement.until, 'until'),
    as_of: formatInstant(statement.asOf, 'as_of'),
    entries: statement.entries.map(renderEntry),
    totals: counts(statement.totals),
    next_cursor: statement.nextCursor ?? null,
  };
}

function renderEntry(entry: StatementEntry): UsageStatement['entries'][number] {
  const { operationId, requestKey, action, settledAt, units, reason } = entry;
  return {
    usage_id: Number(operationId),
    request_key: requestKey ?? null,
    action: actionName(action) ?? null,
    settled_at: formatInstant(settledAt, 'settled_at'),
    kind: reason === undefined ? 'settlement' : 'reversal',
    reason: reason ?? null,
    ...counts(units),
  };
}
