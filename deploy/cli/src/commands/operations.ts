import {
  GetOperationRecordResponseSchema,
  type OperationRecord,
  OperationRecordSchema,
  OperationsAdminService,
} from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { Client } from '@connectrpc/connect';
import { type Command, Option } from 'commander';
import { id, wholeNumber } from '../arguments.ts';
import { type Answer, addChange, addVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import { type Plain, plain } from '../output/plain.ts';
import { brief, instant, list, table } from '../output/table.ts';

const REQUEST_KEY_WIDTH = 36;
const RECONCILE_PAGE = 200;
const RECONCILE_TIMEOUT_MS = 120_000;
const STATUSES: Readonly<Record<string, Status>> = {
  pending: Status.PENDING,
  processing: Status.PROCESSING,
  delivered: Status.DELIVERED,
  failed: Status.FAILED,
};

interface ListOptions {
  readonly account?: bigint;
  readonly status?: string;
  readonly before?: bigint;
  readonly limit?: number;
}

export function define(group: Command, run: Runner<Context>): void {
  addVerb(group, 'list', 'List operations, newest first.', [
    'operations list',
    'operations list --status failed --account 1 --limit 20',
  ])
    .option('--account <id>', 'limit to this account', id)
    .addOption(new Option('--status <status>', 'limit to this status').choices(Object.keys(STATUSES)))
    .option('--before <id>', 'limit to ids below this one', id)
    .option('--limit <number>', 'number of operations (default 50)', wholeNumber(1, 1000))
    .action(run(listOperations));

  addVerb(group, 'show', 'Show an operation with its plan and result.', ['operations show 1'])
    .argument('<operation-id>', 'operation id', id)
    .action(run(showOperation));

  addChange(group, 'requeue', 'Publish the job of an unfinished operation that no worker runs.', [
    'operations requeue 1',
  ])
    .argument('<operation-id>', 'operation id', id)
    .action(run(requeueOperation));

  addChange(
    group,
    'reconcile',
    'Repeat settlements and releases at the ledger after a restore. Exit code 1: units stay lost.',
    ['operations reconcile', 'operations reconcile --after 120000'],
  )
    .option('--after <id>', 'limit to operations above this id', id)
    .action(
      run(async ({ stack }, { after = 0n }: { after?: bigint }) => {
        const found = await reconcile(stack.client('operations', OperationsAdminService, RECONCILE_TIMEOUT_MS), after);
        const text = list([
          ['operations', found.checked],
          ['settled again', found.settled_again.length],
          ['released', found.released.length],
          ['no longer admitted', found.not_admitted.length],
          ['mismatched', found.mismatched.length],
        ]);
        const details = [
          ...(found.not_admitted.length > 0 ? [`not admitted: ${found.not_admitted.join(', ')}`] : []),
          ...(found.mismatched.length > 0 ? [`mismatched at the ledger: ${found.mismatched.join(', ')}`] : []),
        ];
        return { json: found, text: [text, ...details].join('\n\n'), failed: details.length > 0 };
      }),
    );
}

async function listOperations(
  { stack }: Context,
  { account = 0n, status, before = 0n, limit = 50 }: ListOptions,
): Promise<Answer> {
  const { operations } = await stack.client('operations', OperationsAdminService).listOperations({
    accountId: account,
    status: status === undefined ? Status.UNSPECIFIED : (STATUSES[status] ?? Status.UNSPECIFIED),
    beforeId: before,
    limit,
  });
  return {
    json: operations.map((operation) => plain(OperationRecordSchema, operation)),
    text: operationTable(operations),
  };
}

async function showOperation({ stack }: Context, operationId: bigint): Promise<Answer> {
  const answer = await stack.client('operations', OperationsAdminService).getOperationRecord({ operationId });
  const {
    normal_form_json: normalForm,
    plan_json: frozenPlan,
    result_json: result,
    ...rest
  } = plain(GetOperationRecordResponseSchema, answer);
  const parts = { normal_form: parsed(normalForm), plan: parsed(frozenPlan), result: parsed(result) };
  return { json: { ...rest, ...parts }, text: `${describe(rest.operation as Plain)}\n\n${sections(parts)}` };
}

async function requeueOperation({ stack }: Context, operationId: bigint): Promise<Answer> {
  const { requeued } = await stack.client('operations', OperationsAdminService).requeueOperation({ operationId });
  const text = requeued
    ? `The job of operation ${operationId} was published.`
    : `Operation ${operationId} is finished or a worker runs it. Nothing was changed.`;
  return { json: { operation_id: operationId, requeued }, text, failed: !requeued };
}

async function reconcile(operations: Client<typeof OperationsAdminService>, after: bigint) {
  const found = {
    ...{ checked: 0, settled_again: [] as bigint[], released: [] as bigint[] },
    ...{ not_admitted: [] as bigint[], mismatched: [] as bigint[] },
  };
  for (let from = after, more = true; more; ) {
    const page = await operations.reconcileLedger({ afterOperationId: from, limit: RECONCILE_PAGE });
    found.checked += page.checked;
    found.settled_again.push(...page.settledAgain);
    found.released.push(...page.released);
    found.not_admitted.push(...page.notAdmitted);
    found.mismatched.push(...page.mismatched);
    more = page.checked === RECONCILE_PAGE;
    from = page.lastOperationId;
  }
  return found;
}

function operationTable(operations: readonly OperationRecord[]): string {
  return table(
    ['operation', 'account', 'action', 'status', 'state', 'units', 'attempts', 'created', 'request key'],
    operations.map((operation) => {
      const shown = plain(OperationRecordSchema, operation);
      return [
        operation.id,
        operation.accountId,
        String(shown.action),
        String(shown.status),
        operation.point,
        units(shown.units as Plain),
        operation.attempts,
        instant(shown.created_at),
        brief(operation.requestKey, REQUEST_KEY_WIDTH),
      ];
    }),
    'No operations.',
  );
}

function describe(operation: Plain): string {
  const failure = operation.failure as Plain | undefined;
  return list([
    ['operation', Number(operation.id)],
    ['account', Number(operation.account_id)],
    ['subscription', Number(operation.subscription_id)],
    ['action', String(operation.action)],
    ['request key', String(operation.request_key)],
    ['status', `${operation.status} (${operation.point})`],
    ['units', units(operation.units as Plain)],
    ['attempts', `${operation.attempts}, fence ${operation.fence}`],
    ['lease until', instant(operation.lease_until)],
    ['created', instant(operation.created_at)],
    ['finished', instant(operation.finished_at)],
    ['failure', failure ? `${failure.code}: ${failure.message}` : 'none'],
  ]);
}

function sections(parts: Readonly<Record<string, unknown>>): string {
  return Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name.replace('_', ' ')}: ${JSON.stringify(value, undefined, 2)}`)
    .join('\n');
}

function units(value: Plain | undefined): string {
  return `${value?.request_units ?? 0}/${value?.delivered_units ?? 0}/${value?.fresh_evidence_units ?? 0}`;
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
