import { FailureCode, fail, failure } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';

interface Posting {
  state: HoldState;
  request: bigint;
  delivered: bigint;
  /** Why it was refused; USAGE_EXPIRED when it was released before it was ever admitted. */
  code?: FailureCode;
  /** Why its settlement was taken back. */
  reversed?: string;
}

/** A ledger in memory that keeps the promises of the contract: idempotent by operation id, tombstones, one entry an operation. */
export class FakeLedger {
  readonly postings = new Map<bigint, Posting>();
  readonly calls: string[] = [];
  deliveredLimit = 1_000_000n;
  /** Called before every call is decided; throw to be away, await to be slow. */
  before: (method: string, operationId: bigint) => Promise<void> | void = () => undefined;
  /** Called after every call was decided; throw to lose the reply. */
  after: (method: string, operationId: bigint) => Promise<void> | void = () => undefined;

  readonly register = (router: ConnectRouter): void => {
    router.service(LedgerService, {
      authenticate: ({ bearer }) => {
        const account = /^key-(\d+)$/.exec(bearer)?.[1];
        if (!account) throw fail(FailureCode.INVALID_API_KEY, 'unknown');
        return { principal: principalOf(BigInt(account)) };
      },
      reserve: ({ operationId, units }) =>
        this.#decide('reserve', operationId, () => {
          const outcome = this.#admit(operationId, units?.deliveredUnits ?? 0n, HoldState.HELD);
          return { outcome };
        }),
      charge: ({ operationId, units }) =>
        this.#decide('charge', operationId, () => {
          const outcome = this.#admit(operationId, units?.deliveredUnits ?? 0n, HoldState.POSTED);
          return { outcome };
        }),
      settle: ({ operationId, units }) =>
        this.#decide('settle', operationId, () => {
          const hold = this.postings.get(operationId);
          if (hold?.state === HoldState.HELD) {
            if ((units?.deliveredUnits ?? 0n) > hold.delivered) throw new Error('settled more than held');
            Object.assign(hold, { state: HoldState.POSTED, delivered: units?.deliveredUnits });
          } else if (hold?.state !== HoldState.POSTED) throw new Error('settled without a hold');
          return { allowance: this.#allowance() };
        }),
      release: ({ operationId }) =>
        this.#decide('release', operationId, () => {
          const tombstone = { state: HoldState.REFUSED, request: 0n, delivered: 0n, code: FailureCode.USAGE_EXPIRED };
          const hold = this.postings.get(operationId) ?? tombstone;
          if (hold.state === HoldState.HELD) hold.state = HoldState.VOID;
          this.postings.set(operationId, hold);
          return { state: hold.state };
        }),
      reverse: ({ operationId, reason }) =>
        this.#decide('reverse', operationId, () => {
          const hold = this.postings.get(operationId);
          if (hold?.state === HoldState.POSTED) Object.assign(hold, { state: HoldState.VOID, reversed: reason });
          return { state: HoldState.VOID, reversed: hold?.reversed !== undefined };
        }),
      listHolds: () => ({
        holds: [...this.postings].flatMap(([operationId, { state }]) =>
          state === HoldState.HELD ? [{ operationId, state }] : [],
        ),
      }),
      getAllowance: () =>
        this.#decide('getAllowance', 0n, () => ({ allowance: this.#allowance(), plan: 'builder', status: 'active' })),
    });
  };

  count(state: HoldState): number {
    return [...this.postings.values()].filter((posting) => posting.state === state).length;
  }

  async #decide<T>(method: string, operationId: bigint, decide: () => T): Promise<T> {
    await this.before(method, operationId);
    this.calls.push(method);
    const decided = decide();
    await this.after(method, operationId);
    return decided;
  }

  #admit(operationId: bigint, delivered: bigint, state: HoldState) {
    const known = this.postings.get(operationId);
    const used = [...this.postings.values()]
      .filter((posting) => posting.state === HoldState.HELD || posting.state === HoldState.POSTED)
      .reduce((sum, posting) => sum + posting.delivered, 0n);
    const left = this.deliveredLimit - used;
    const admitted = known ? known.state !== HoldState.REFUSED : delivered <= left;
    if (!known) {
      const decided = admitted ? state : HoldState.REFUSED;
      this.postings.set(operationId, { state: decided, request: 1n, delivered });
    }
    return admitted
      ? ({ case: 'admitted', value: { state: known?.state ?? state, allowance: this.#allowance() } } as const)
      : ({ case: 'refused', value: this.#refusal(left, known?.code) } as const);
  }

  #refusal(admissibleDeliveredUnits: bigint, code: FailureCode = FailureCode.REQUEST_LIMIT_REACHED) {
    return {
      failure: failure(code, 'Too little is left.', { retryAfterSeconds: 5 }),
      allowance: this.#allowance(),
      admissibleDeliveredUnits,
    };
  }

  #allowance() {
    return { windowSeconds: 18_000n, windowRemaining: 60n - BigInt(this.postings.size), weeklyRemaining: 500n };
  }
}

export function principalOf(accountId: bigint) {
  return {
    accountId,
    subscriptionId: accountId + 1000n,
    credentialId: accountId + 2000n,
    plan: 'builder',
    subscriptionStatus: 'active',
    testMode: false,
    pageLimit: 25,
  };
}
