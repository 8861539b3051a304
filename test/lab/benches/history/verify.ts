import { startProgress } from '@ces/cli/output/progress';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { goOn } from '../../support/bench.ts';
import type { Payer } from './accounts.ts';
import type { RunningSystem } from './system.ts';

const VERIFY_WITHIN_MS = 120_000;

export async function verify(
  { stack }: RunningSystem,
  payers: readonly Payer[],
  signal: AbortSignal,
): Promise<string[]> {
  const ledger = stack.client('ledger', LedgerAdminService, VERIFY_WITHIN_MS);
  using progress = startProgress(process.stderr, 'verifying the ledger');
  const found: string[] = [];
  for (const [index, { subscriptionId }] of payers.entries()) {
    goOn(signal);
    progress.at(`subscription ${subscriptionId}`, index / payers.length);
    const outcome = await ledger.verifyLedger({ subscriptionId }).then(
      ({ differences }) =>
        differences.map(({ operationId, description }) => `operation ${operationId}, ${description}`),
      (error: Error) => [error.message],
    );
    found.push(...outcome.map((difference) => `subscription ${subscriptionId}, ${difference}`));
  }
  return found;
}
