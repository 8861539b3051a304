import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { addVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import { count, list, table } from '../output/table.ts';
import { verifyLedger } from '../verify/verify-ledger.ts';

/** Pending at most 15 minutes, processing 30 (gateway/docs/contract.md, Time), and the sweeper. */
const MAX_HOLD_SECONDS = 3_000;
const TIMEOUT_MS = 120_000;

export function define(group: Command, run: Runner<Context>): void {
  addVerb(
    group,
    'verify',
    'Recompute every counter and compare the ledger with operations. Exit code 1: there are differences.',
    ['ledger verify', 'ledger verify --json'],
  )
    .option('--max-hold-seconds <seconds>', 'report a hold older than this', wholeNumber(1, 86_400), MAX_HOLD_SECONDS)
    .action(
      run(async ({ stack }, { maxHoldSeconds }: { maxHoldSeconds: number }) => {
        const clients = {
          ledger: stack.client('ledger', LedgerAdminService, TIMEOUT_MS),
          operations: stack.client('operations', OperationsAdminService, TIMEOUT_MS),
        };
        const verification = await verifyLedger(clients, maxHoldSeconds * 1000, () => new Date());
        const { differences } = verification;
        const summary = list([
          ['subscriptions', count(verification.subscriptions)],
          ['entries', count(verification.entries)],
          ['holds', count(verification.holds)],
          ['operations', count(verification.operations)],
          ['differences', count(differences.length)],
        ]);
        const rows = differences.map((found) => [found.operation_id, found.subscription_id, found.description]);
        const details = table(['operation', 'subscription', 'difference'], rows, 'Ledger and operations agree.');
        return { json: verification, text: `${summary}\n\n${details}`, failed: differences.length > 0 };
      }),
    );
}
