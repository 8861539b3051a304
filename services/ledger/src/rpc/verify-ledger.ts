import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  VerifyLedgerRequest,
  VerifyLedgerResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { Difference } from '../db/verification/difference.ts';
import { countPostings, findDifferences, listForVerification } from '../db/verification/subscription.ts';
import type { Dependencies } from './dependencies.ts';
import { notFound } from './input.ts';

const PAGE = 100;
const MAX_DIFFERENCES = 1_000;

export async function verifyLedger(
  { pool, logger }: Dependencies,
  { subscriptionId }: VerifyLedgerRequest,
): Promise<MessageInitShape<typeof VerifyLedgerResponseSchema>> {
  const differences: Difference[] = [];
  const counted = { subscriptions: 0n, entries: 0n, holds: 0n };
  for await (const id of toVerify(pool, subscriptionId)) {
    const { entries, holds } = await countPostings(pool, id);
    counted.subscriptions += 1n;
    counted.entries += entries;
    counted.holds += holds;
    differences.push(...(await findDifferences(pool, id)));
    if (differences.length >= MAX_DIFFERENCES) break;
  }
  if (subscriptionId && counted.subscriptions === 0n) throw notFound('subscription', subscriptionId);
  if (differences.length > 0) logger.error({ differences: differences.length }, 'the ledger does not add up');
  return { ...counted, differences: differences.slice(0, MAX_DIFFERENCES) };
}

async function* toVerify(pool: Dependencies['pool'], only: bigint) {
  if (only) {
    const found = await listForVerification(pool, only - 1n, 1);
    yield* found.filter((id) => id === only);
    return;
  }
  for (let after = 0n; ; ) {
    const page = await listForVerification(pool, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
