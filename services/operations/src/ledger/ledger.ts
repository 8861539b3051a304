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
import type { OperationUnits } from '../operation/operation.ts';
import { type Admission, toAdmission, toMismatch } from './admission.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { fromUnits, named, type Payer, present, toUnits } from './messages.ts';
import { PostingCalls } from './posting-calls.ts';

/** Calls towards one subscription that this process has open at once, so that a slow one holds up no other. */
const OPEN_CALLS_PER_SUBSCRIPTION = 64;

/** Longest call, in milliseconds: the ledger decides within one lock. */
export const LEDGER_TIMEOUT_MS = 10_000;
/** A start waits so long for a ledger that may not run yet, in milliseconds. */
const RETENTION_TIMEOUT_MS = 2_000;
/** Callers wait for keys that are not known yet. */
const SIGNING_KEYS_TIMEOUT_MS = 3_000;
/** Deadline of a withdrawal, in milliseconds, whatever is left of the call's: its caller has waited for the ledger before. */
const WITHDRAW_TIMEOUT_MS = 2_000;

/** What an operation was charged. */
export interface Settlement {
  /** Of the operation; undefined when the ledger was told none. */
  readonly identity: string | undefined;
  readonly units: OperationUnits;
  readonly settledAt: Date;
}

/** Units that are held for an operation, as the ledger names it. */
export interface HeldOperation {
  readonly id: bigint;
  /** Absent for one that is older than identities. */
  readonly identity: string | undefined;
  readonly subscriptionId: bigint;
}

export interface SubscriptionSnapshot {
  readonly allowance: Allowance;
  readonly plan: string;
  readonly status: string;
}

/**
 * What operations asks of the ledger. Every write is idempotent by operation id and says whose operation it means: ask again
 * whenever in doubt.
 */
export class Ledger {
  readonly #client: Client<typeof LedgerService>;
  readonly #postings: PostingCalls;
  readonly #limiter: ConcurrencyLimiter;
  readonly #bound: (maxMs: number) => { timeoutMs: number };

  constructor(
    client: Client<typeof LedgerService>,
    postings = new PostingCalls(client),
    limiter = new ConcurrencyLimiter(OPEN_CALLS_PER_SUBSCRIPTION),
    bound = (maxMs: number) => ({ timeoutMs: maxMs }),
  ) {
    this.#client = client;
    this.#postings = postings;
    this.#limiter = limiter;
    this.#bound = bound;
  }

  /** The same ledger for one call: whatever it asks ends before the call's own deadline. */
  within(context: HandlerContext): Ledger {
    return new Ledger(this.#client, this.#postings, this.#limiter, (maxMs) => withinDeadline(context, maxMs));
  }

  async authenticate(bearer: string): Promise<Principal> {
    const { principal } = await this.#client.authenticate({ bearer }, this.#bound(LEDGER_TIMEOUT_MS));
    return present(principal);
  }

  /** By what its statements about principals are checked. */
  async readSigningKeys(): Promise<{ readonly keys: readonly SigningKey[]; readonly now: Date }> {
    const { keys, now } = await this.#client.getSigningKeys({}, this.#bound(SIGNING_KEYS_TIMEOUT_MS));
    return { keys, now: timestampDate(present(now)) };
  }

  /**
   * Blocks one request unit and the worst case of delivered units. `admittedBefore`: it was admitted once and is said again; without
   * that, the ledger takes no operation that is older than its refusals are kept.
   */
  async reserve(payer: Payer, admittedBefore = false): Promise<Admission> {
    const units = toUnits({ request: 1, delivered: payer.worstCaseUnits, fresh: 0 });
    const response = await this.#limiter.run(payer.subscriptionId, () =>
      this.#postings.reserve(
        { ...named(payer), credentialId: payer.credentialId, units, admittedBefore },
        this.#bound(LEDGER_TIMEOUT_MS),
      ),
    );
    return toAdmission(response);
  }

  /** Admission by the worst case and settlement of `units`, in one. */
  async charge(payer: Payer, units: OperationUnits): Promise<Admission> {
    const response = await this.#limiter.run(payer.subscriptionId, () =>
      this.#postings.charge(
        {
          ...named(payer),
          credentialId: payer.credentialId,
          units: toUnits(units),
          worstCaseDeliveredUnits: BigInt(payer.worstCaseUnits),
        },
        this.#bound(LEDGER_TIMEOUT_MS),
      ),
    );
    return toAdmission(response);
  }

  async settle(payer: Payer, units: OperationUnits): Promise<Extract<Admission, { kind: 'admitted' | 'mismatch' }>> {
    const { allowance, mismatch } = await this.#limiter.run(payer.subscriptionId, () =>
      this.#postings.settle({ ...named(payer), units: toUnits(units) }, this.#bound(LEDGER_TIMEOUT_MS)),
    );
    return mismatch ? toMismatch(mismatch) : { kind: 'admitted', allowance: present(allowance), isSettled: true };
  }

  /**
   * Gives the hold back; where the ledger knows another operation under the number, nothing of this one is held. `settled` when
   * it was settled before: that is so after a restore alone, and wants `reverse`.
   */
  async release(payer: Payer): Promise<'released' | 'settled'> {
    const { state } = await this.#limiter.run(payer.subscriptionId, () =>
      this.#client.release(named(payer), this.#bound(LEDGER_TIMEOUT_MS)),
    );
    return state === HoldState.POSTED ? 'settled' : 'released';
  }

  /** Takes the settlement of an operation back, with a reason of at most 200 characters: nothing is charged for it, now or ever. */
  async reverse(payer: Payer, reason: string): Promise<void> {
    await this.#limiter.run(payer.subscriptionId, () =>
      this.#client.reverse({ ...named(payer), reason }, this.#bound(LEDGER_TIMEOUT_MS)),
    );
  }

  /** Gives back the units of an operation that operations does not know. */
  async releaseUnknown(held: HeldOperation): Promise<void> {
    await this.#client.release(named({ ...held, accountId: 0n }), this.#bound(LEDGER_TIMEOUT_MS));
  }

  /** Operations whose units are held, oldest first, at most `count`. */
  async listHeld(count: number): Promise<HeldOperation[]> {
    const { holds } = await this.#client.listHolds({ limit: count }, this.#bound(LEDGER_TIMEOUT_MS));
    return holds.map(({ operationId: id, operationIdentity, subscriptionId }) => ({
      id,
      identity: operationIdentity || undefined,
      subscriptionId,
    }));
  }

  /** How far back the ledger keeps holds and entries; throws where it cannot say. */
  async readRetention(): Promise<{ readonly keptMs: number; readonly keptSince: Date }> {
    const { keptSeconds, keptSince } = await this.#client.getRetention({}, this.#bound(RETENTION_TIMEOUT_MS));
    return { keptMs: Number(keptSeconds) * 1_000, keptSince: timestampDate(present(keptSince)) };
  }

  /** Takes back whatever the ledger holds or settled for an operation that is lost here; true when it was settled. */
  async reverseUnknown(lost: HeldOperation, reason: string): Promise<boolean> {
    const { reversed } = await this.#client.reverse(
      { ...named({ ...lost, accountId: 0n }), reason },
      this.#bound(LEDGER_TIMEOUT_MS),
    );
    return reversed;
  }

  /** The highest operation id that the ledger knows; 0 when it knows none. */
  async readHighestOperationId(): Promise<bigint> {
    const { highestOperationId } = await this.#client.listHolds({ limit: 1 }, this.#bound(LEDGER_TIMEOUT_MS));
    return highestOperationId;
  }

  /** Makes sure that nothing is held for this operation and never will be; `charged` when it was charged before that. */
  async withdraw(payer: Payer): Promise<'free' | 'charged'> {
    const { state } = await this.#limiter.run(payer.subscriptionId, () =>
      this.#client.release(named(payer), { timeoutMs: WITHDRAW_TIMEOUT_MS }),
    );
    return state === HoldState.POSTED ? 'charged' : 'free';
  }

  /** What the ledger has settled of some operations, by their ids. */
  async listSettled(operationIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Settlement>> {
    if (operationIds.length === 0) return new Map();
    const { entries } = await this.#client.listEntries(
      { operationIds: [...operationIds] },
      this.#bound(LEDGER_TIMEOUT_MS),
    );
    return new Map(
      entries.map(({ operationId, operationIdentity, units, settledAt }) => [
        operationId,
        {
          identity: operationIdentity || undefined,
          units: fromUnits(present(units)),
          settledAt: timestampDate(present(settledAt)),
        },
      ]),
    );
  }

  /** A page of what was settled; throws INVALID_REQUEST for an interval that is none. */
  async getUsageStatement(
    request: MessageInitShape<typeof GetUsageStatementRequestSchema> & { readonly subscriptionId: bigint },
  ): Promise<GetUsageStatementResponse> {
    return await this.#limiter.run(request.subscriptionId, () =>
      this.#client.getUsageStatement(request, this.#bound(LEDGER_TIMEOUT_MS)),
    );
  }

  async getSubscription(subscriptionId: bigint): Promise<SubscriptionSnapshot> {
    const { allowance, plan, status } = await this.#client.getAllowance(
      { subscriptionId },
      this.#bound(LEDGER_TIMEOUT_MS),
    );
    return { allowance: present(allowance), plan, status };
  }
}
