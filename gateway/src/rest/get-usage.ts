import Type from 'typebox';
import { parseId } from '../input/path-id.ts';
import { renderAnswer } from '../output/answer.ts';
import { requireValue } from '../output/values.ts';
import type { Peers } from '../peers.ts';
import { AnyResult } from '../schema/any-result.ts';
import { closed, Id } from '../schema/primitives.ts';
import { callerOf } from '../submit-operation.ts';
import type { Route } from './route.ts';

export function getUsage({ operations }: Peers): Route {
  return {
    method: 'GET',
    url: '/api/usages/:id',
    endpoint: {
      operationId: 'getUsage',
      action: 'usage',
      summary: 'Poll or replay an operation',
      description:
        'Unmetered, no new external work; rechecks current evidence and the subscription. Wait a few seconds between polls of a 202. Operations of another account do not exist here.',
      tag: 'Usage',
      notFound: 'usage_not_found',
      path: closed('UsagePath', { id: Type.Integer({ ...Id, description: 'The id of the operation.' }) }),
      result: { schema: AnyResult, description: 'The completed result of whatever the operation does.' },
    },
    async handle(call) {
      const operationId = parseId(call.params.id ?? '');
      call.takePoll(operationId);
      const { answer } = await operations.getOperation({ caller: callerOf(call), operationId }, call.rpc);
      return renderAnswer(requireValue(answer, 'answer'));
    },
  };
}
