import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { requireValue } from './output/values.ts';
import type { AdmittedCall } from './run-call.ts';

export interface OperationCall extends AdmittedCall {
  /** Throws when it is missing or invalid. */
  requestKey(): string;
  asksForBackground(): void;
  /** The rest of the call only waits. */
  releaseSlot(): void;
}

export interface Submission {
  readonly caller: Caller;
  readonly requestKey: string;
}

interface Caller {
  readonly identity: { readonly case: 'principal'; readonly value: Principal };
}

/** Order for REST and MCP: key, shape, operations (gateway/docs/contract.md, Order of checks). */
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

export function callerOf({ principal }: Pick<AdmittedCall, 'principal'>): Caller {
  return { identity: { case: 'principal', value: principal } };
}
