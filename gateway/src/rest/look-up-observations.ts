import { readObservationLookupBody, readObservationLookupQuery } from '../input/observation-lookup.ts';
import { renderAnswer } from '../output/answer.ts';
import type { Peers } from '../peers.ts';
import {
  ObservationLookupBody,
  ObservationLookupResult,
  observationLookupFields,
} from '../schema/observation-lookup.ts';
import { closed } from '../schema/primitives.ts';
import { submitOperation } from '../submit-operation.ts';
import type { Endpoint, Route } from './route.ts';

const shared = {
  tag: 'Look-up',
  scope: 'lookup',
  result: {
    schema: ObservationLookupResult,
    description: 'Observations of the requested domains, oldest recorded first.',
  },
} satisfies Partial<Endpoint>;

const DESCRIPTION =
  'Observations recorded after `since` for 1 to 100 domains. The next poll passes the last `as_of` as `since`. Settles one request unit and one delivered unit per distinct company.';

export function lookUpObservations({ operations }: Peers): Route {
  const { domains, ...rest } = observationLookupFields;
  return {
    method: 'GET',
    url: '/api/observations',
    endpoint: {
      ...shared,
      operationId: 'lookUpObservations',
      action: 'observation_lookup',
      summary: 'New observations of known domains',
      description: `${DESCRIPTION} More domains than an address can carry go to POST /api/observations/lookup.`,
      query: closed('ObservationLookupQuery', { 'domains[]': domains, ...rest }),
    },
    async handle(call) {
      const readInput = () => ({ input: readObservationLookupQuery(call.url) });
      return renderAnswer(await submitOperation(call, readInput, operations.submitObservationLookup));
    },
  };
}

export function postObservationLookup({ operations }: Peers): Route {
  return {
    method: 'POST',
    url: '/api/observations/lookup',
    endpoint: {
      ...shared,
      operationId: 'postObservationLookup',
      action: 'observation_lookup',
      summary: 'New observations of known domains, with a body',
      description: `${DESCRIPTION} The same operation as GET /api/observations.`,
      body: { schema: ObservationLookupBody, required: true },
    },
    async handle(call) {
      const readInput = () => ({ input: readObservationLookupBody(call.body) });
      return renderAnswer(await submitOperation(call, readInput, operations.submitObservationLookup));
    },
  };
}
