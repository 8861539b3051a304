import { randomUUID } from 'node:crypto';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { NO_FLOOD_LIMITS } from '../../../support/no-flood-limits.ts';
import { AMPLE, createAccount } from '../../load/subscribers.ts';
import { Caller } from '../../support/caller.ts';
import { type Rate, rateOf } from '../../support/rate.ts';
import type { BenchServer } from '../../support/server.ts';
import { openBenchStack } from '../../support/stack.ts';

const COMPANIES = 1_000;

/**
 * Measures metered look-ups of one company over the public interface, with `callers` concurrent
 * calls on one subscription.
 */
export async function measureLookUps(
  server: BenchServer,
  callers: number,
  seconds: number,
  signal: AbortSignal,
): Promise<Rate> {
  const env = { ...NO_FLOOD_LIMITS, CES_LOG_LEVEL: 'error' };
  await using bench = await openBenchStack({ sample: true, server, env, signal });
  const { tokens } = await createAccount(bench.stack.client('ledger', LedgerAdminService), AMPLE, 1);
  using caller = new Caller(callers);
  return await rateOf(callers, seconds, () => {
    const id = 1 + Math.floor(Math.random() * COMPANIES);
    const headers = { authorization: `Bearer ${tokens[0]}`, 'idempotency-key': randomUUID() };
    return caller.call(`${bench.stack.addressOf('gateway')}/api/companies?ids[]=${id}`, headers);
  });
}
