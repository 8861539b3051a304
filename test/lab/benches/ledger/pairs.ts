import { randomUUID } from 'node:crypto';
import { createPool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createPostings } from '@ces/ledger/posting/postings';
import type { PostingBatcher } from '@ces/operations/ledger/posting-batcher';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { AMPLE } from '../../load/subscribers.ts';
import { type Rate, rateOf } from '../../support/rate.ts';
import type { LedgerProcess } from './service.ts';

interface Payer {
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
}

const ASKED = { requestUnits: 1n, deliveredUnits: 10n, freshEvidenceUnits: 0n };
const USED = { requestUnits: 1n, deliveredUnits: 3n, freshEvidenceUnits: 1n };

const BOUND = { timeoutMs: 30_000 };

let lastOperationId = 0n;

export async function makePayers(service: LedgerProcess, count: number): Promise<readonly Payer[]> {
  const admin = service.client(LedgerAdminService, 'admin');
  const payers: Payer[] = [];
  for (let made = 0; made < count; made += 1) {
    const { account } = await admin.createAccount({ name: 'benchmark' });
    const accountId = account?.id ?? 0n;
    const { subscription } = await admin.createSubscription({ accountId, plan: 'builder', ownLimits: AMPLE });
    payers.push({ accountId, subscriptionId: subscription?.id ?? 0n });
  }
  return payers;
}

export function pairsOverRpc(
  ledger: Client<typeof LedgerService> | PostingBatcher,
  payers: readonly Payer[],
  callers: number,
  seconds: number,
): Promise<Rate> {
  return rateOf(callers, seconds, async (caller) => {
    const operationId = nextOperationId();
    const operation = { operationId, operationIdentity: randomUUID(), ...payerOf(payers, caller) };
    const { outcome } = await ledger.reserve({ ...operation, units: ASKED }, BOUND);
    if (outcome.case !== 'admitted') throw new Error('the ledger refused although there is plenty');
    await ledger.settle({ ...operation, units: USED }, BOUND);
  });
}

/** The same in this process without RPC, to measure only the postings. */
export async function pairsInside(
  databaseUrl: string,
  payers: readonly Payer[],
  callers: number,
  seconds: number,
): Promise<Rate> {
  const logger = createLogger('bench', 'error');
  const pool = createPool({
    connectionString: databaseUrl,
    max: 10,
    applicationName: 'ledger',
    pipeline: true,
    logger,
  });
  const postings = createPostings(pool);
  try {
    return await rateOf(callers, seconds, async (caller) => {
      const operationId = nextOperationId();
      const admission = {
        operationId,
        identity: randomUUID(),
        ...payerOf(payers, caller),
        credentialId: 0n,
        units: ASKED,
      };
      const { hold } = await postings.admit({ kind: 'reserve', ...admission });
      if (hold.refusal) throw new Error(hold.refusal.message);
      await postings.settle(admission, USED);
    });
  } finally {
    await pool.end();
  }
}

function nextOperationId(): bigint {
  lastOperationId += 1n;
  return lastOperationId;
}

function payerOf(payers: readonly Payer[], caller: number): Payer {
  const payer = payers[caller % payers.length];
  if (!payer) throw new Error('no subscription pays');
  return payer;
}
