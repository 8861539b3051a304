import Type from 'typebox';
import { parseId } from '../input/path-id.ts';
import { LICENCE_LINK } from '../output/headers.ts';
import { renderObservation } from '../output/observation.ts';
import { requireValue } from '../output/values.ts';
import type { Peers } from '../peers.ts';
import { ObservationDetail } from '../schema/observation.ts';
import { closed, Id } from '../schema/primitives.ts';
import type { Route } from './route.ts';

export function getObservation({ lookup }: Peers): Route {
  return {
    method: 'GET',
    url: '/api/observations/:id',
    endpoint: {
      operationId: 'getObservation',
      action: 'observation',
      summary: 'Read one observation',
      description:
        'Unmetered, subscription-authorised read with current evidence; how many an account may make in an hour is limited (429 `rate_limited`). Deprecated: use GET /api/companies/{id}.',
      tag: 'Look-up',
      notFound: 'observation_not_found',
      scope: 'lookup',
      path: closed('ObservationPath', { id: Type.Integer({ ...Id, description: 'The id of the observation.' }) }),
      result: { schema: ObservationDetail, description: 'The observation.' },
      successor: '/api/companies/{id}',
    },
    async handle(call) {
      const observationId = parseId(call.params.id ?? '');
      await call.takeObservation();
      const { observation } = await lookup.getObservation({ observationId }, call.rpc);
      const body: ObservationDetail = { observation: renderObservation(requireValue(observation, 'observation')) };
      return { kind: 'finished', body, headers: { link: LICENCE_LINK } };
    },
  };
}
