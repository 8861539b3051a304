import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { FailureCode, fail, failure } from '@ces/chassis/rpc/failure';
import { createStreamBatchResults } from '@ces/chassis/rpc/stream-batch-results';
import { createLogger } from '@ces/chassis/telemetry/log';
import { CallLimitService } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import {
  type ChargeRequest,
  type GetUsageStatementRequest,
  type GetUsageStatementResponseSchema,
  LedgerService,
  MismatchField,
  type PostingAnswerSchema,
  type Posting as PostingRequest,
  type PostRequest,
  type ReserveRequest,
  type SettleRequest,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import { SIGNING_KEY } from './signed-principal.ts';

const streamBatchResults = createStreamBatchResults(createLogger('fake ledger', 'silent'));

type PostingOutcome = Exclude<MessageInitShape<typeof PostingAnswerSchema>['answer'], undefined>;

interface Posting {
  state: HoldState;
  request: bigint;
  delivered: bigint;
  /** Why it was refused; USAGE_EXPIRED when it was released before it was ever admitted. */
  code?: FailureCode;
  reversed?: string;
  identity?: string;
  accountId?: bigint;
  subscriptionId?: bigint;
}

interface Named {
  readonly operationId: bigint;
  readonly operationIdentity: string;
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
}

/**
 * An in-memory ledger that keeps the contract: idempotent by operation id, tombstones, one entry
 * for each operation, owner and units compared.
 */
export class FakeLedger {
  readonly postings = new Map<bigint, Posting>();
  readonly calls: string[] = [];
  readonly mismatches: string[] = [];
  deliveredLimit = 1_000_000n;
  keptDays = 401;
  statement: MessageInitShape<typeof GetUsageStatementResponseSchema> = {};
  onStatement: (request: GetUsageStatementRequest) => void = () => undefined;
  refusePages = false;
  /** Called before every call is decided; throw to be unreachable, await to be slow. */
  before: (method: string, operationId: bigint) => Promise<void> | void = () => undefined;
  /** Called after every call was decided; throw to lose the reply. */
  after: (method: string, operationId: bigint) => Promise<void> | void = () => undefined;

  /**
   * Creation time of every hold and settlement. It is earlier than any acceptance, as by a clock
   * that is behind.
   */
  readonly #takenAt = timestampFromDate(new Date());

  readonly register = (router: ConnectRouter): void => {
    router.service(LedgerAdminService, {
      listMovements: ({ afterOperationId, limit }) => ({
        movements: [...this.postings]
          .filter(([operationId]) => operationId > afterOperationId)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .slice(0, limit || 1_000)
          .map(([operationId, { state, identity = UNKNOWN_IDENTITY, subscriptionId = 0n }]) => ({
            hold: {
              ...{ operationId, operationIdentity: identity, subscriptionId, state },
              createdAt: this.#takenAt,
            },
          })),
      }),
    });
    router.service(CallLimitService, {
      take: ({ calls, slots }) => ({
        calls: calls.map(({ owner, needed, prefetch }) =>
          this.refusePages && owner.startsWith('pages/') ? { waitMs: 1_000 } : { taken: needed + prefetch },
        ),
        slots: slots.map(({ wanted }) => ({ slots: wanted })),
      }),
    });
    router.service(LedgerService, {
      authenticate: ({ bearer }) => {
        const account = /^key-(\d+)$/.exec(bearer)?.[1];
        if (!account) throw fail(FailureCode.INVALID_API_KEY, 'unknown');
        return { principal: principalOf(BigInt(account)) };
      },
      getSigningKeys: () => ({ keys: [SIGNING_KEY], now: timestampFromDate(new Date()) }),
      reserve: (request) => this.#reserve(request),
      charge: (request) => this.#charge(request),
      settle: (request) => this.#settle(request),
      post: (request, context) => this.#post(request, context),
      release: (request) =>
        this.#decide('release', request.operationId, () => {
          const { operationId } = request;
          const mismatch = this.#differ('release', request);
          if (mismatch) return { mismatch };
          const tombstone = {
            ...{ state: HoldState.REFUSED, request: 0n, delivered: 0n, code: FailureCode.USAGE_EXPIRED },
            ...whoseIs(request),
          };
          const hold = this.postings.get(operationId) ?? tombstone;
          if (hold.state === HoldState.HELD) hold.state = HoldState.VOID;
          this.postings.set(operationId, hold);
          return { state: hold.state };
        }),
      reverse: (request) =>
        this.#decide('reverse', request.operationId, () => {
          const { operationId, reason } = request;
          const mismatch = this.#differ('reverse', request);
          if (mismatch) return { mismatch };
          const hold = this.postings.get(operationId);
          if (hold?.state === HoldState.POSTED) Object.assign(hold, { state: HoldState.VOID, reversed: reason });
          return { state: HoldState.VOID, reversed: hold?.reversed !== undefined };
        }),
      getUsageStatement: (request) =>
        this.#decide('getUsageStatement', 0n, () => {
          this.onStatement(request);
          return this.statement;
        }),
      listEntries: ({ operationIds }) =>
        this.#decide('listEntries', 0n, () => ({
          entries: operationIds.flatMap((operationId) => {
            const posting = this.postings.get(operationId);
            if (posting?.state !== HoldState.POSTED) return [];
            const { identity: operationIdentity = UNKNOWN_IDENTITY, subscriptionId = 0n, request, delivered } = posting;
            const units = { requestUnits: request, deliveredUnits: delivered };
            return [{ operationId, operationIdentity, subscriptionId, units, settledAt: this.#takenAt }];
          }),
        })),
      listHolds: () => ({
        holds: [...this.postings].flatMap(
          ([operationId, { state, identity = UNKNOWN_IDENTITY, subscriptionId = 0n }]) =>
            state === HoldState.HELD ? [{ operationId, operationIdentity: identity, subscriptionId, state }] : [],
        ),
        highestOperationId: this.#highest(),
      }),
      getRetention: () => ({
        keptSeconds: BigInt(this.keptDays) * 86_400n,
        keptSince: timestampFromDate(new Date(Date.now() - this.keptDays * 86_400_000)),
      }),
      getAllowance: () =>
        this.#decide('getAllowance', 0n, () => ({ allowance: this.#allowance(), plan: 'builder', status: 'active' })),
    });
  };

  #reserve(request: ReserveRequest) {
    return this.#decide('reserve', request.operationId, () => {
      const mismatch = this.#differ('reserve', request);
      if (mismatch) return { outcome: { case: 'mismatch', value: mismatch } as const };
      return { outcome: this.#admit(request, request.units?.deliveredUnits ?? 0n, HoldState.HELD) };
    });
  }

  #charge(request: ChargeRequest) {
    return this.#decide('charge', request.operationId, () => {
      const mismatch = this.#differ('charge', request, request.units?.deliveredUnits);
      if (mismatch) return { outcome: { case: 'mismatch', value: mismatch } as const };
      const { units, worstCaseDeliveredUnits } = request;
      return { outcome: this.#admit(request, units?.deliveredUnits ?? 0n, HoldState.POSTED, worstCaseDeliveredUnits) };
    });
  }

  #settle(request: SettleRequest) {
    return this.#decide('settle', request.operationId, () => {
      const { operationId, units } = request;
      const mismatch = this.#differ('settle', request, units?.deliveredUnits);
      if (mismatch) return { mismatch };
      const hold = this.postings.get(operationId);
      if (hold?.state === HoldState.HELD) {
        if ((units?.deliveredUnits ?? 0n) > hold.delivered) throw new Error('settled more than held');
        Object.assign(hold, { state: HoldState.POSTED, delivered: units?.deliveredUnits });
      } else if (hold?.state !== HoldState.POSTED) throw new Error('settled without a hold');
      return { allowance: this.#allowance() };
    });
  }

  async *#post({ postings }: PostRequest, context: Pick<HandlerContext, 'method'>) {
    for await (const answers of streamBatchResults(postings, context, (one) => this.#postOne(one))) yield { answers };
  }

  async #postOne({ posting }: PostingRequest): Promise<PostingOutcome> {
    if (posting.case === 'reserve') return { case: 'reserve', value: await this.#reserve(posting.value) };
    if (posting.case === 'charge') return { case: 'charge', value: await this.#charge(posting.value) };
    if (posting.case === 'settle') return { case: 'settle', value: await this.#settle(posting.value) };
    throw new Error('a posting of no kind');
  }

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

  #differ(method: string, named: Named, settling?: bigint) {
    const known = this.postings.get(named.operationId);
    const field = known && fieldThatDiffers(named, known, settling);
    if (field === undefined) return undefined;
    this.mismatches.push(method);
    return { field, highestOperationId: this.#highest() };
  }

  #highest(): bigint {
    return [...this.postings.keys()].reduce((highest, id) => (id > highest ? id : highest), 0n);
  }

  #admit(request: Named, delivered: bigint, state: HoldState, worstCase = delivered) {
    const { operationId } = request;
    const known = this.postings.get(operationId);
    const used = [...this.postings.values()]
      .filter((posting) => posting.state === HoldState.HELD || posting.state === HoldState.POSTED)
      .reduce((sum, posting) => sum + posting.delivered, 0n);
    const left = this.deliveredLimit - used;
    const admitted = known ? known.state !== HoldState.REFUSED : delivered <= left && worstCase <= left;
    if (!known) {
      const decided = admitted ? state : HoldState.REFUSED;
      this.postings.set(operationId, { state: decided, request: 1n, delivered, ...whoseIs(request) });
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

/** Identity of a posting that a test invents. */
const UNKNOWN_IDENTITY = '00000000-0000-4000-8000-ffffffffffff';

function whoseIs({ operationIdentity, accountId, subscriptionId }: Named) {
  return {
    ...(operationIdentity && { identity: operationIdentity }),
    ...(accountId && { accountId }),
    ...(subscriptionId && { subscriptionId }),
  };
}

function fieldThatDiffers(named: Named, known: Posting, settling: bigint | undefined): MismatchField | undefined {
  const { operationIdentity, accountId, subscriptionId } = named;
  const differ = (a: bigint | string | undefined, b: bigint | string) => Boolean(a && b && a !== b);
  if (differ(known.identity, operationIdentity)) return MismatchField.IDENTITY;
  if (differ(known.subscriptionId, subscriptionId)) return MismatchField.SUBSCRIPTION;
  if (differ(known.accountId, accountId)) return MismatchField.ACCOUNT;
  const isOther = known.state === HoldState.POSTED && settling !== undefined && settling !== known.delivered;
  return isOther ? MismatchField.UNITS : undefined;
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
    scopes: ['search', 'lookup', 'usage'],
  };
}
