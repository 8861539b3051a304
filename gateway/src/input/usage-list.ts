import type { Action, Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { actionOf, statusOf } from '@ces/proto/operations';
import { UsageListQuery } from '../schema/usage-list.ts';
import { UsageStatementQuery } from '../schema/usage-statement.ts';
import { pageParameters, QueryParameters } from './query.ts';
import { compileShapeCheck } from './shape.ts';

const checkListQuery = compileShapeCheck(UsageListQuery, 'The query');
const checkStatementQuery = compileShapeCheck(UsageStatementQuery, 'The query');

type UsageListInput = Omit<UsageListQuery, 'action' | 'status'> & {
  readonly action?: Action;
  readonly status?: Status;
};

export function readUsageListQuery(url: string): UsageListInput {
  const texts = ['since', 'until', 'action', 'status', 'cursor'];
  const query = QueryParameters.parse(url, [...texts, 'limit']);
  const { action, status, ...rest } = checkListQuery(pageParameters(query, texts, 100));
  return { ...rest, ...(action && { action: actionOf(action) }), ...(status && { status: statusOf(status) }) };
}

export function readUsageStatementQuery(url: string): UsageStatementQuery {
  const texts = ['since', 'until', 'cursor'];
  const query = QueryParameters.parse(url, [...texts, 'limit']);
  return checkStatementQuery(pageParameters(query, texts, 1_000));
}
