import { withinDeadline } from '@ces/chassis/rpc/client';
import { type Failure, FailureCode } from '@ces/chassis/rpc/failure';
import { type Allowance, HoldState, type Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { ChargeResponse, LedgerService, ReserveResponse } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { Client, HandlerContext } from '@connectrpc/connect';
import type { NewOperation, OperationUnits } from '../operation/operation.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

/** Calls towards one subscription that this process has open at once, so that a slow one holds up no other. */
const OPEN_CALLS_PER_SUBSCRIPTION = 4;

/** Longest call, in milliseconds: the ledger decides within one lock. */
export const LEDGER_TIMEOUT_MS = 10_000;
/** Deadline of a withdrawal, in milliseconds, whatever is left of the call's: its caller has waited for the ledger before. */
const WITHDRAW_TIMEOUT_MS = 2_000;

type Payer = Pick<NewOperation, 'accountId' | 'subscriptionId' | 'credentialId' | 'worstCaseUnits'> & {
  readonly id: bigint;
};

export type Admission =
  | { readonly kind: 'admitted'; readonly allowance: Allowance; readonly isSettled: boolean }
  /** Nothing is blocked and never will be for this operation. */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly admissibleUnits: number }
  /** It was withdrawn meanwhile: nothing is blocked and never will be. */
  | { readonly kind: 'withdrawn' };

export interface SubscriptionSnapshot {
  readonly allowance: Allowance;
  readonly plan: string;
  readonly status: string;
}

/** What operations asks of the ledger. Every write is idempotent by operation id: ask again whenever in doubt. */
export class Ledger {
  readonly #client: Client<typeof LedgerService>;
  readonly #limiter: ConcurrencyLimiter;
  readonly #bound: (maxMs: number) => { timeoutMs: number };

  constructor(
    client: Client<typeof LedgerService>,
    limiter = new ConcurrencyLimiter(OPEN_CALLS_PER_SUBSCRIPTION),
    bound = (maxMs: number) => ({ timeoutMs: maxMs }),
  ) {
    this.#client = client;
    this.#limiter = limiter;
    this.#bound = bound;
  }

  /** The same ledger for one call: whatever it asks ends before the call's own deadline. */
  within(context: HandlerContext): Ledger {
    return new Ledger(this.#client, this.#limiter, (maxMs) => withinDeadline(context, maxMs));
  }

  async authenticate(bearer: string): Promise<Principal> {
    const { principal } = await this.#client.authenticate({ bearer }, this.#bound(LEDGER_TIMEOUT_MS));
    return present(principal);
  }

  /** Blocks one request unit and the worst case of delivered units. */
  async reserve(payer: Payer): Promise<Admission> {
    const units = toUnits({ request: 1, delivered: payer.worstCaseUnits, fresh: 0 });
    const response = await this.#limiter.run(payer.subscriptionId, () =>
      this.#client.reserve({ ...whoPays(payer), units }, this.#bound(LEDGER_TIMEOUT_MS)),
    );
    return toAdmission(response);
  }

  /** Admission and settlement in one. */
  async charge(payer: Payer, units: OperationUnits): Promise<Admission> {
    const response = await this.#limiter.run(payer.subscriptionId, () =>
      this.#client.charge({ ...whoPays(payer), units: toUnits(units) }, this.#bound(LEDGER_TIMEOUT_MS)),
    );
    return toAdmission(response);
  }

  async settle(payer: Payer, units: OperationUnits): Promise<Allowance> {
    const { allowance } = await this.#limiter.run(payer.subscriptionId, () =>
      this.#client.settle({ operationId: payer.id, units: toUnits(units) }, this.#bound(LEDGER_TIMEOUT_MS)),
    );
    return present(allowance);
  }

  /** Gives the hold back. `settled` when it was settled before: that is so after a restore alone, and wants `reverse`. */
  async release(payer: Payer): Promise<'released' | 'settled'> {
    const { state } = await this.#limiter.run(payer.subscriptionId, () =>
      this.#client.release({ operationId: payer.id }, this.#bound(LEDGER_TIMEOUT_MS)),
    );
    return state === HoldState.POSTED ? 'settled' : 'released';
  }

  /** Takes the settlement of an operation back, with a reason of at most 200 characters: nothing is charged for it, now or ever. */
  async reverse(payer: Payer, reason: string): Promise<void> {
    const { id: operationId, accountId, subscriptionId } = payer;
    await this.#limiter.run(payer.subscriptionId, () =>
      this.#client.reverse({ operationId, accountId, subscriptionId, reason }, this.#bound(LEDGER_TIMEOUT_MS)),
    );
  }

  /** Gives back the units of an operation that operations does not know. */
  async releaseUnknown(operationId: bigint): Promise<void> {
    await this.#client.release({ operationId }, this.#bound(LEDGER_TIMEOUT_MS));
  }

  /** Operations whose units are held, oldest first, at most `count`. */
  async listHeld(count: number): Promise<bigint[]> {
    const { holds } = await this.#client.listHolds({ limit: count }, this.#bound(LEDGER_TIMEOUT_MS));
    return holds.map((hold) => hold.operationId);
  }

  /** Makes sure that nothing is held and never will be; `charged` when it was charged before that. */
  async withdraw(payer: Payer): Promise<'free' | 'charged'> {
    const { state } = await this.#limiter.run(payer.subscriptionId, () =>
      this.#client.release({ operationId: payer.id }, { timeoutMs: WITHDRAW_TIMEOUT_MS }),
    );
    return state === HoldState.POSTED ? 'charged' : 'free';
  }

  async getSubscription(subscriptionId: bigint): Promise<SubscriptionSnapshot> {
    const { allowance, plan, status } = await this.#client.getAllowance(
      { subscriptionId },
      this.#bound(LEDGER_TIMEOUT_MS),
    );
    return { allowance: present(allowance), plan, status };
  }
}

function whoPays(payer: Payer) {
  const { id: operationId, accountId, subscriptionId, credentialId } = payer;
  return { operationId, accountId, subscriptionId, credentialId };
}

function toAdmission({ outcome }: ReserveResponse | ChargeResponse): Admission {
  switch (outcome.case) {
    case 'admitted':
      if (outcome.value.state === HoldState.VOID) return { kind: 'withdrawn' };
      return {
        kind: 'admitted',
        allowance: present(outcome.value.allowance),
        isSettled: outcome.value.state === HoldState.POSTED,
      };
    case 'refused': {
      const failure = present(outcome.value.failure);
      if (failure.code === FailureCode.USAGE_EXPIRED) return { kind: 'withdrawn' };
      return { kind: 'refused', failure, admissibleUnits: Number(outcome.value.admissibleDeliveredUnits) };
    }
    case 'mismatch':
    case undefined:
      throw new Error('the ledger answered without an outcome');
  }
}

export function toUnits(units: OperationUnits) {
  return {
    requestUnits: BigInt(units.request),
    deliveredUnits: BigInt(units.delivered),
    freshEvidenceUnits: BigInt(units.fresh),
  };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the ledger answered without a required field');
  return value;
}
