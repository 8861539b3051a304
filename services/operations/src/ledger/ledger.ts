import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { withinDeadline } from '@ces/chassis/rpc/client';
import { type Allowance, HoldState, type Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type {
  GetUsageStatementRequestSchema,
  GetUsageStatementResponse,
  LedgerService,
  SigningKey,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { Client, HandlerContext } from '@connectrpc/connect';
import type { OperationUnits } from '../model/operation.ts';
import { type Admission, toAdmission, toMismatch } from './admission.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { fromUnits, identityOf, type Payer, requireField, toUnits } from './messages.ts';
import { PostingBatcher } from './posting-batcher.ts';

/** A slow subscription must delay no other. */
const OPEN_CALLS_PER_SUBSCRIPTION = 64;

/** The ledger decides within one lock. */
export const LEDGER_TIMEOUT_MS = 10_000;
/** At start, the ledger may not run yet. */
const RETENTION_TIMEOUT_MS = 2_000;
const SIGNING_KEYS_TIMEOUT_MS = 3_000;
/** Independent of the call's deadline, which the ledger has already used up. */
const WITHDRAW_TIMEOUT_MS = 2_000;

export interface Settlement {
  readonly identity: string;
  readonly units: OperationUnits;
  readonly settledAt: Date;
}

export interface HeldOperation {
  readonly id: bigint;
  readonly identity: string;
  readonly subscriptionId: bigint;
}

export interface SubscriptionSnapshot {
  readonly allowance: Allowance;
  readonly plan: string;
  readonly status: string;
}

/** Every write is idempotent by operation id and names the owner, so any call may be repeated. */
export class Ledger {
  readonly #client: Client<typeof LedgerService>;
  readonly #postings: PostingBatcher;
  readonly #limiter: ConcurrencyLimiter;
  readonly #bound: (maxMs: number) => { timeoutMs: number };

  constructor(
    client: Client<typeof LedgerService>,
    postings = new PostingBatcher(client),
    limiter = new ConcurrencyLimiter(OPEN_CALLS_PER_SUBSCRIPTION),
    bound = (maxMs: number) => ({ timeoutMs: maxMs }),
  ) {
    this.#client = client;
    this.#postings = postings;
    this.#limiter = limiter;
    this.#bound = bound;
  }

  within(context: HandlerContext): Ledger {
    return new Ledger(this.#client, this.#postings, this.#limiter, (maxMs) => withinDeadline(context, maxMs));
  }

  async authenticate(bearer: string): Promise<Principal> {
    const { principal } = await this.#client.authenticate({ bearer }, this.#bound(LEDGER_TIMEOUT_MS));
    return requireField(principal);
  }

  async readSigningKeys(): Promise<{ readonly keys: readonly SigningKey[]; readonly now: Date }> {
    const { keys, now } = await this.#client.getSigningKeys({}, this.#bound(SIGNING_KEYS_TIMEOUT_MS));
    return { keys, now: timestampDate(requireField(now)) };
  }

  /**
   * One request unit and the worst case. Without `admittedBefore`, the ledger refuses operations
   * older than its record of refusals.
   */
  async reserve(payer: Payer, admittedBefore = false): Promise<Admission> {
    const units = toUnits({ request: 1, delivered: payer.worstCaseUnits, fresh: 0 });
    const request = { ...identityOf(payer), credentialId: payer.credentialId, units, admittedBefore };
    return toAdmission(await this.#limited(payer, (bound) => this.#postings.reserve(request, bound)));
  }

  async charge(payer: Payer, units: OperationUnits): Promise<Admission> {
    const { credentialId, worstCaseUnits } = payer;
    const worst = { worstCaseDeliveredUnits: BigInt(worstCaseUnits) };
    const request = { ...identityOf(payer), credentialId, units: toUnits(units), ...worst };
    return toAdmission(await this.#limited(payer, (bound) => this.#postings.charge(request, bound)));
  }

  async settle(payer: Payer, units: OperationUnits): Promise<Extract<Admission, { kind: 'admitted' | 'mismatch' }>> {
    const request = { ...identityOf(payer), units: toUnits(units) };
    const { allowance, mismatch } = await this.#limited(payer, (bound) => this.#postings.settle(request, bound));
    return mismatch ? toMismatch(mismatch) : { kind: 'admitted', allowance: requireField(allowance), isSettled: true };
  }

  /** `settled` occurs only after a restore and requires `reverse`. */
  async release(payer: Payer): Promise<'released' | 'settled'> {
    const { state } = await this.#limited(payer, (bound) => this.#client.release(identityOf(payer), bound));
    return state === HoldState.POSTED ? 'settled' : 'released';
  }

  /** Not charged, now or later. The reason has at most 200 characters. */
  async reverse(payer: Payer, reason: string): Promise<void> {
    await this.#limited(payer, (bound) => this.#client.reverse({ ...identityOf(payer), reason }, bound));
  }

  async releaseUnknown(held: HeldOperation): Promise<void> {
    await this.#client.release(identityOf({ ...held, accountId: 0n }), this.#bound(LEDGER_TIMEOUT_MS));
  }

  async listHeld(count: number): Promise<HeldOperation[]> {
    const { holds } = await this.#client.listHolds({ limit: count }, this.#bound(LEDGER_TIMEOUT_MS));
    return holds.map(({ operationId: id, operationIdentity: identity, subscriptionId }) => ({
      id,
      identity,
      subscriptionId,
    }));
  }

  async readRetention(): Promise<{ readonly keptMs: number; readonly keptSince: Date }> {
    const { keptSeconds, keptSince } = await this.#client.getRetention({}, this.#bound(RETENTION_TIMEOUT_MS));
    return { keptMs: Number(keptSeconds) * 1_000, keptSince: timestampDate(requireField(keptSince)) };
  }

  /** An operation that was lost here; true when it was settled. */
  async reverseUnknown(lost: HeldOperation, reason: string): Promise<boolean> {
    const request = { ...identityOf({ ...lost, accountId: 0n }), reason };
    const { reversed } = await this.#client.reverse(request, this.#bound(LEDGER_TIMEOUT_MS));
    return reversed;
  }

  async readHighestOperationId(): Promise<bigint> {
    const { highestOperationId } = await this.#client.listHolds({ limit: 1 }, this.#bound(LEDGER_TIMEOUT_MS));
    return highestOperationId;
  }

  /** Nothing is held, now or later; `charged`: it was charged before. */
  async withdraw(payer: Payer): Promise<'free' | 'charged'> {
    const bound = { timeoutMs: WITHDRAW_TIMEOUT_MS };
    const { state } = await this.#limited(payer, () => this.#client.release(identityOf(payer), bound));
    return state === HoldState.POSTED ? 'charged' : 'free';
  }

  async listSettled(operationIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Settlement>> {
    if (operationIds.length === 0) return new Map();
    const request = { operationIds: [...operationIds] };
    const { entries } = await this.#client.listEntries(request, this.#bound(LEDGER_TIMEOUT_MS));
    return new Map(
      entries.map(({ operationId, operationIdentity, units, settledAt }) => [
        operationId,
        {
          identity: operationIdentity,
          units: fromUnits(requireField(units)),
          settledAt: timestampDate(requireField(settledAt)),
        },
      ]),
    );
  }

  /** Throws INVALID_REQUEST for an invalid interval. */
  async getUsageStatement(
    request: MessageInitShape<typeof GetUsageStatementRequestSchema> & { readonly subscriptionId: bigint },
  ): Promise<GetUsageStatementResponse> {
    return await this.#limited(request, (bound) => this.#client.getUsageStatement(request, bound));
  }

  async getSubscription(subscriptionId: bigint): Promise<SubscriptionSnapshot> {
    const bound = this.#bound(LEDGER_TIMEOUT_MS);
    const { allowance, plan, status } = await this.#client.getAllowance({ subscriptionId }, bound);
    return { allowance: requireField(allowance), plan, status };
  }

  #limited<T>(
    { subscriptionId }: { readonly subscriptionId: bigint },
    call: (bound: { timeoutMs: number }) => Promise<T>,
  ): Promise<T> {
    return this.#limiter.run(subscriptionId, () => call(this.#bound(LEDGER_TIMEOUT_MS)));
  }
}
