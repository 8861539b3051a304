import type { ListedUsage, ListUsagesResponse } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { actionName } from '@ces/proto/operations';
import { publicCode } from '../errors/failure.ts';
import type { UsageList } from '../schema/usage-list.ts';
import { renderUsage } from './operation.ts';
import { formatInstant, formatInstantOrNull, requireValue } from './values.ts';

export function renderUsageList({ usages, nextCursor, asOf }: ListUsagesResponse): UsageList {
  return {
    usages: usages.map(renderListed),
    next_cursor: nextCursor ?? null,
    as_of: formatInstant(asOf, 'as_of'),
  };
}

function renderListed(listed: ListedUsage): UsageList['usages'][number] {
  const { usage, action, query, createdAt, finishedAt, failure } = listed;
  return {
    usage: renderUsage(requireValue(usage, 'usage')),
    action: requireValue(actionName(action), 'action'),
    query: query ?? null,
    created_at: formatInstant(createdAt, 'created_at'),
    finished_at: formatInstantOrNull(finishedAt),
    error: failure ? { code: publicCode(failure), message: failure.message } : null,
  };
}
