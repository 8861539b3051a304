import { readObservationSearch } from '../input/search.ts';
import { renderAnswer } from '../output/answer.ts';
import type { Peers } from '../peers.ts';
import { ObservationResult, ObservationSearchBody } from '../schema/observation-search.ts';
import { submitSearch } from '../submit-search.ts';
import type { Endpoint, Route } from './route.ts';

const shared = {
  tag: 'Search',
  scope: 'search',
  body: { schema: ObservationSearchBody, required: true },
  result: { schema: ObservationResult, description: 'The finished search, newest observed first.' },
  successor: '/api/companies/search',
} satisfies Partial<Endpoint>;

export function searchObservations({ operations }: Peers): Route {
  return {
    method: 'POST',
    url: '/api/observations/search',
    endpoint: {
      ...shared,
      operationId: 'searchObservations',
      action: 'observation_search',
      summary: 'Search observations by words',
      description:
        'Literal-query search of individual observations: every term must occur as a whole word. Not grouped by company, newest observed first. No implicit window, no acquisition. Deprecated: use POST /api/companies/search.',
    },
    async handle(call) {
      const readInput = () => ({ input: readObservationSearch(call.body), background: false });
      return renderAnswer(await submitSearch(call, readInput, operations.submitObservationSearch, operations));
    },
  };
}

export function queueObservationSearch({ operations }: Peers): Route {
  return {
    method: 'POST',
    url: '/api/usages',
    endpoint: {
      ...shared,
      operationId: 'queueObservationSearch',
      action: 'observation_search',
      summary: 'Queue an observation search',
      description:
        'Queues the search of POST /api/observations/search in the background: the same input and key are the same operation. Answers 202, or 200 when an identical operation was delivered before. Deprecated: use POST /api/companies/search with `background` true.',
    },
    async handle(call) {
      const readInput = () => ({ input: readObservationSearch(call.body), background: true });
      return renderAnswer(await submitSearch(call, readInput, operations.submitObservationSearch, operations));
    },
  };
}
