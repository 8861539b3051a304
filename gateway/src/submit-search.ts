import { isTransient } from '@ces/chassis/rpc/error';
import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { requireValue } from './output/values.ts';
import type { Peers } from './peers.ts';
import type { AdmittedCall } from './run-call.ts';
import { callerOf, type OperationCall, type Submission, submitOperation } from './submit-operation.ts';

interface SubmittedSearch {
  readonly answer?: OperationAnswer | undefined;
  readonly waiting: boolean;
}

/**
 * Once the operation only waits, the slot is released and a second RPC waits (decision 0009). If it
 * reaches no operations process, the answer is the accepted operation, still pending.
 */
export async function submitSearch<Input extends object>(
  call: OperationCall,
  readInput: () => Input,
  submit: (
    request: Submission & Input & { readonly untilWaiting: boolean },
    options: AdmittedCall['rpc'],
  ) => Promise<SubmittedSearch>,
  { getOperation }: Pick<Peers['operations'], 'getOperation'>,
): Promise<OperationAnswer> {
  const begunAt = performance.now();
  let isWaiting = false;
  const submitted = await submitOperation(
    call,
    () => ({ ...readInput(), untilWaiting: true }),
    async (request, options) => {
      const response = await submit(request, options);
      isWaiting = response.waiting;
      return response;
    },
  );
  if (!isWaiting) return submitted;
  call.releaseSlot();
  const operationId = requireValue(submitted.usage, 'usage').id;
  const waitedMs = Math.round(performance.now() - begunAt);
  try {
    const { answer } = await getOperation({ caller: callerOf(call), operationId, waitedMs }, call.rpc);
    return { ...requireValue(answer, 'answer'), replayed: submitted.replayed };
  } catch (error) {
    if (!isTransient(error)) throw error;
    return submitted;
  }
}
