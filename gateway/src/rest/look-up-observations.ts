import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ObservationLookupInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { observationLookupBody, observationLookupQuery } from '../input/observation-lookup.ts';
import type { Peers } from '../peers.ts';
import {
  ObservationLookupBody,
  ObservationLookupResult,
  observationLookupFields,
} from '../schema/observation-lookup.ts';
import { closed } from '../schema/primitives.ts';
import { operationAnswer } from '../submit-operation.ts';
import { callerOf } from './caller.ts';
import type { Call, Endpoint, HttpAnswer, Route } from './route.ts';

const shared = {
  tag: 'Look-up',
  refusal: 'invalid_search',
  needsIdempotencyKey: true,
  result: {
    schema: ObservationLookupResult,
    description: 'Observations of the requested domains, oldest recorded first.',
  },
  pending: true,
  errors: [
    ...(['invalid_search', 'idempotency_key_required', 'idempotency_conflict', 'invalid_cursor'] as const),
    ...(['search_failed', 'usage_expired', 'request_limit_reached'] as const),
  ],
} satisfies Partial<Endpoint>;

const DESCRIPTION =
  'Observations recorded after `since` for 1 to 100 domains. The next poll passes the last `as_of` as `since`. Settles one request unit and one delivered unit per distinct company.';

export function lookUpObservations(peers: Peers): Route {
  const { domains, ...rest } = observationLookupFields;
  return {
    method: 'GET',
    url: '/api/observations',
    endpoint: {
      ...shared,
      operationId: 'lookUpObservations',
      summary: 'New observations of known domains',
      description: `${DESCRIPTION} More domains than an address can carry go to POST /api/observations/lookup.`,
      query: closed('ObservationLookupQuery', { 'domains[]': domains, ...rest }),
    },
    handle: (call) => submit(peers, call, () => observationLookupQuery(call.url)),
  };
}

export function postObservationLookup(peers: Peers): Route {
  return {
    method: 'POST',
    url: '/api/observations/lookup',
    endpoint: {
      ...shared,
      operationId: 'postObservationLookup',
      summary: 'New observations of known domains, with a body',
      description: `${DESCRIPTION} The same operation as GET /api/observations.`,
      body: { schema: ObservationLookupBody, required: true },
    },
    handle: (call) => submit(peers, call, () => observationLookupBody(call.body)),
  };
}

async function submit(
  { operations }: Peers,
  call: Call,
  readInput: () => MessageInitShape<typeof ObservationLookupInputSchema>,
): Promise<HttpAnswer> {
  const requestKey = call.requestKey();
  const request = { caller: callerOf(call), requestKey, input: readInput() };
  return operationAnswer((await operations.submitObservationLookup(request, call.rpc)).answer);
}
