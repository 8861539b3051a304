import { Action, Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { UsageListQuery } from '../schema/usage-list.ts';
import { UsageStatementQuery } from '../schema/usage-statement.ts';
import { pageParameters, QueryParameters } from './query.ts';
import { compileShapeCheck } from './shape.ts';

const checkListQuery = compileShapeCheck(UsageListQuery, 'The query');
const checkStatementQuery = compileShapeCheck(UsageStatementQuery, 'The query');

const ACTIONS: Readonly<Record<NonNullable<UsageListQuery['action']>, Action>> = {
  company_search: Action.COMPANY_SEARCH,
  observation_search: Action.OBSERVATION_SEARCH,
  company_lookup: Action.COMPANY_LOOKUP,
  observation_lookup: Action.OBSERVATION_LOOKUP,
  diagnostic: Action.DIAGNOSTIC,
};

const STATUSES: Readonly<Record<NonNullable<UsageListQuery['status']>, Status>> = {
  pending: Status.PENDING,
  processing: Status.PROCESSING,
  delivered: Status.DELIVERED,
  failed: Status.FAILED,
};

type UsageListInput = Omit<UsageListQuery, 'action' | 'status'> & {
  readonly action?: Action;
  readonly status?: Status;
};

export function readUsageListQuery(url: string): UsageListInput {
  const texts = ['since', 'until', 'action', 'status', 'cursor'];
  const query = QueryParameters.parse(url, [...texts, 'limit']);
  const { action, status, ...rest } = checkListQuery(pageParameters(query, texts, 100));
  return { ...rest, ...(action && { action: ACTIONS[action] }), ...(status && { status: STATUSES[status] }) };
}

export function readUsageStatementQuery(url: string): UsageStatementQuery {
  const texts = ['since', 'until', 'cursor'];
  const query = QueryParameters.parse(url, [...texts, 'limit']);
  return checkStatementQuery(pageParameters(query, texts, 1_000));
}
