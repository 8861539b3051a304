import type { MessageInitShape } from '@bufbuild/protobuf';
import { callerOf } from '@ces/chassis/rpc/caller';
import type {
  AdmittedSchema,
  ChargeRequest,
  LedgerService,
  MismatchSchema,
  Posting,
  PostingAnswerSchema,
  RefusedSchema,
  ReserveRequest,
  SettleRequest,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { ServiceImpl } from '@connectrpc/connect';
import type { NamedOperation } from '../allowance/mismatch.ts';
import type { Admission } from '../allowance/posting.ts';
import { reverse as reversePosting } from '../posting/reverse.ts';
import type { Dependencies } from './dependencies.ts';
import { invalid, requireId, requireText, requireUnits, UUID } from './input.ts';
import { failureMessage, HOLD_STATES } from './messages.ts';
import { type Answer, answerMismatch } from './mismatch.ts';

const MOST_POSTINGS = 200;
const MAX_REASON = 200;

type PostingAnswer = Exclude<MessageInitShape<typeof PostingAnswerSchema>['answer'], undefined>;

/** Whatever moves units. A bug of the caller is logged and answered with an internal error. */
export function postingMethods(dependencies: Dependencies) {
  const { pool, postings, logger, streamBatchResults } = dependencies;
  const admit = async (kind: Admission['kind'], request: ReserveRequest | ChargeRequest) => {
    const admitted = postings.admit(toAdmission(kind, request));
    return { outcome: outcomeOf(await answerMismatch(dependencies, admitted)) };
  };
  const settle = async (request: SettleRequest) => {
    const settled = postings.settle(toOperation(request), requireUnits(request.units));
    const answer = await answerMismatch(dependencies, settled);
    if ('mismatch' in answer) return answer;
    return { ...(answer.allowance && { allowance: answer.allowance }) };
  };
  const postOne = async ({ posting }: Posting): Promise<PostingAnswer> => {
    switch (posting.case) {
      case 'reserve':
        return { case: 'reserve', value: await admit('reserve', posting.value) };
      case 'settle':
        return { case: 'settle', value: await settle(posting.value) };
      case 'charge':
        return { case: 'charge', value: await admit('charge', posting.value) };
      case undefined:
        throw invalid('A posting must be of a kind.');
    }
  };
  return {
    reserve: (request) => admit('reserve', request),
    charge: (request) => admit('charge', request),
    settle,
    async release(request) {
      const answer = await answerMismatch(dependencies, postings.release(toOperation(request)));
      return 'mismatch' in answer ? answer : { state: HOLD_STATES[answer.hold.state] };
    },
    async reverse(request, context) {
      const operation = toOperation(request);
      const reason = requireText(request.reason, 'reason', 1, MAX_REASON);
      const by = { caller: callerOf(context), reason };
      const answer = await answerMismatch(dependencies, reversePosting(pool, postings, operation, by));
      if ('mismatch' in answer) return answer;
      const { state, reversed } = answer;
      if (reversed) logger.warn({ operation_id: String(operation.operationId), reason }, 'settlement reversed');
      return { state: HOLD_STATES[state], reversed };
    },
    async *post({ postings: asked }, context) {
      if (asked.length < 1 || asked.length > MOST_POSTINGS)
        throw invalid(`\`postings\` must be 1 to ${MOST_POSTINGS}.`);
      for await (const answers of streamBatchResults(asked, context, postOne)) yield { answers };
    },
  } satisfies Partial<ServiceImpl<typeof LedgerService>>;
}

function toAdmission(kind: Admission['kind'], request: ReserveRequest | ChargeRequest): Admission {
  return {
    kind,
    ...toOperation(request),
    accountId: requireId(request.accountId, 'account_id'),
    credentialId: request.credentialId,
    units: requireUnits(request.units),
    ...('worstCaseDeliveredUnits' in request && { worstCaseDeliveredUnits: request.worstCaseDeliveredUnits }),
    ...('admittedBefore' in request && { admittedBefore: request.admittedBefore }),
  };
}

function toOperation(
  request: Omit<NamedOperation, 'identity'> & { readonly operationIdentity: string },
): NamedOperation {
  const { operationIdentity, accountId, subscriptionId } = request;
  if (!UUID.test(operationIdentity)) throw invalid('`operation_identity` must be a UUID in lower case.');
  return {
    operationId: requireId(request.operationId, 'operation_id'),
    identity: operationIdentity,
    accountId,
    subscriptionId,
  };
}

type Outcome =
  | { case: 'mismatch'; value: MessageInitShape<typeof MismatchSchema> }
  | { case: 'admitted'; value: MessageInitShape<typeof AdmittedSchema> }
  | { case: 'refused'; value: MessageInitShape<typeof RefusedSchema> };

function outcomeOf(answer: Answer): Outcome {
  if ('mismatch' in answer) return { case: 'mismatch', value: answer.mismatch };
  const { hold, allowance } = answer;
  const { state, refusal } = hold;
  if (!refusal) return { case: 'admitted', value: { state: HOLD_STATES[state], ...(allowance && { allowance }) } };
  const limited = refusal.code === 'request_limit_reached';
  return {
    case: 'refused',
    value: {
      failure: failureMessage(refusal),
      admissibleDeliveredUnits: refusal.admissibleDeliveredUnits,
      ...(limited && allowance && { allowance }),
    },
  };
}
