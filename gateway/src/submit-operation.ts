import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { requireValue } from './output/values.ts';
import type { AdmittedCall } from './run-call.ts';

/** A call that names an operation by its idempotency key. */
export interface OperationCall extends AdmittedCall {
  /** The idempotency key; throws when it is missing or none. */
  requestKey(): string;
  /** Called once it is known that the caller waits for no more than an acceptance. */
  asksForBackground(): void;
  /** Called when from now on the call only waits. */
  releaseSlot(): void;
}

export interface Submission {
  readonly caller: Caller;
  readonly requestKey: string;
}

interface Caller {
  readonly identity: { readonly case: 'principal'; readonly value: Principal };
}

/**
 * Submits an operation, in the order that REST and MCP share: the idempotency key, the shape of the input, then
 * operations decides (gateway/docs/contract.md, Order of checks).
 */
export async function submitOperation<Input extends object>(
  call: OperationCall,
  readInput: () => Input,
  submit: (
    request: Submission & Input,
    options: AdmittedCall['rpc'],
  ) => Promise<{ readonly answer?: OperationAnswer | undefined }>,
): Promise<OperationAnswer> {
  const requestKey = call.requestKey();
  const input = readInput();
  if ('background' in input && input.background) call.asksForBackground();
  const request = { caller: callerOf(call), requestKey, ...input };
  const { answer } = await submit(request, call.rpc);
  return requireValue(answer, 'answer');
}

export function callerOf({ principal }: AdmittedCall): Caller {
  return { identity: { case: 'principal', value: principal } };
}
