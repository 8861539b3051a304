import { InvalidInput } from '../output/public-error.ts';
import type { Peers } from '../peers.ts';
import { tellAllowance } from '../run-call.ts';
import type { Tool } from './tool.ts';

/** The tool, with the allowance in the `_meta` of the result that it is reached. */
export function tellingAllowance(peers: Peers, tool: Tool): Tool {
  return {
    ...tool,
    async submit(submission) {
      try {
        return await tool.submit(submission);
      } catch (error) {
        if (error instanceof InvalidInput) throw error;
        const { caller, rpc } = submission;
        throw await tellAllowance(peers, error, { principal: caller.identity.value, rpc });
      }
    },
  };
}
