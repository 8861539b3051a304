import { Action } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { ListedUsage, ListUsagesResponse } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { publicCode } from '../errors/failure.ts';
import type { UsageList } from '../schema/usage-list.ts';
import { renderUsage } from './operation.ts';
import { formatInstant, formatInstantOrNull, requireValue } from './values.ts';

export const ACTION_WORDS: Readonly<Record<Action, string | null>> = {
  [Action.UNSPECIFIED]: null,
  [Action.COMPANY_SEARCH]: 'company_search',
  [Action.OBSERVATION_SEARCH]: 'observation_search',
  [Action.COMPANY_LOOKUP]: 'company_lookup',
  [Action.OBSERVATION_LOOKUP]: 'observation_lookup',
  [Action.DIAGNOSTIC]: 'diagnostic',
};

export function renderUsageList({ usages, nextCursor, asOf }: ListUsagesResponse): UsageList {
  return {
    usages: usages.map(renderListed),
    next_cursor: nextCursor ?? null,
    as_of: formatInstant(asOf, 'as_of'),
  };
}

function renderListed({
  usage,
  action,
  query,
  createdAt,
  finishedAt,
  failure,
}: ListedUsage): UsageList['usages'][number] {
  return {
    usage: renderUsage(requireValue(usage, 'usage')),
    action: requireValue(ACTION_WORDS[action] ?? undefined, 'action'),
    query: query ?? null,
    created_at: formatInstant(createdAt, 'created_at'),
    finished_at: formatInstantOrNull(finishedAt),
    error: failure ? { code: publicCode(failure), message: failure.message } : null,
  };
}
