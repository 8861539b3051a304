import type { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { Random } from '../random.ts';
import type { GivenBack } from './history.ts';

export type LedgerClient = Client<typeof LedgerService>;

export interface Payer {
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
}

interface Refused {
  readonly operationId: bigint;
  readonly sentAt: number;
  readonly receivedAt: number;
}

export interface Seen {
  admitted: number;
  readonly refused: Refused[];
  readonly givenBack: GivenBack[];
}

let lastOperationId = 0n;

/**
 * Runs one operation from admission to settlement or release. Each call goes to any process, and
 * some calls are repeated.
 */
export async function runOperation(
  processes: readonly LedgerClient[],
  payer: Payer,
  random: Random,
  seen: Seen,
): Promise<void> {
  lastOperationId += 1n;
  const operationId = lastOperationId;
  const asked = random.below(5);
  const units = { requestUnits: 1n, deliveredUnits: BigInt(asked) };
  const holds = random.chance(0.7);
  const admit = () => {
    const ledger = random.pick(processes);
    const request = { ...named(operationId), ...payer, units };
    return holds ? ledger.reserve(request) : ledger.charge(request);
  };
  const sentAt = Date.now();
  const answers = await Promise.all(random.chance(0.1) ? [admit(), admit()] : [admit()]);
  const receivedAt = Date.now();
  const outcomes = new Set(answers.map(({ outcome }) => outcome.case));
  if (outcomes.size > 1) throw new Error(`operation ${operationId} was admitted and refused`);
  if (outcomes.has('refused')) {
    seen.refused.push({ operationId, sentAt, receivedAt });
    return;
  }
  seen.admitted += 1;
  if (holds) await end(random.pick(processes), operationId, random, asked, seen);
}

async function end(
  ledger: LedgerClient,
  operationId: bigint,
  random: Random,
  held: number,
  { givenBack }: Seen,
): Promise<void> {
  if (random.chance(0.8)) {
    const used = { requestUnits: 1n, deliveredUnits: BigInt(random.below(held + 1)) };
    await ledger.settle({ ...named(operationId), units: used });
    return;
  }
  const sentAt = Date.now();
  await ledger.release(named(operationId));
  givenBack.push({ operationId, sentAt, receivedAt: Date.now() });
}

function named(operationId: bigint) {
  return { operationId, operationIdentity: `00000000-0000-4000-8000-${operationId.toString(16).padStart(12, '0')}` };
}
