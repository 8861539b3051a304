import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { ConcurrencyLimiter } from '../admission/concurrency-limiter.ts';
import type { Tool } from './tool.ts';

/** The tool, whose calls wait for their account's turn, as those of REST do. */
export function inTurn(gate: ConcurrencyLimiter, tool: Tool): Tool {
  return {
    ...tool,
    async submit(submission) {
      const { caller, isGone } = submission;
      const work = { accountId: caller.identity.value.accountId, action: tool.definition.name, isGone };
      return await gate.run(work, () => tool.submit(submission), isWhole);
    },
  };
}

function isWhole(answer: OperationAnswer | undefined): boolean {
  const kind = answer?.outcome.case;
  return answer?.replayed === false && kind !== 'pending' && kind !== 'failed';
}
