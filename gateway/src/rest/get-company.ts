import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import Type from 'typebox';
import { PublicError } from '../errors/public-error.ts';
import { parseId } from '../input/path-id.ts';
import { type Answer, renderAnswer } from '../output/answer.ts';
import { renderOneCompany } from '../output/company-lookup.ts';
import { LICENCE_LINK, renderOperationHeaders } from '../output/headers.ts';
import { renderContext } from '../output/operation.ts';
import type { Peers } from '../peers.ts';
import { CompanyDetail } from '../schema/company.ts';
import { closed, Id } from '../schema/primitives.ts';
import { submitOperation } from '../submit-operation.ts';
import type { Route } from './route.ts';

export function getCompany({ operations }: Peers): Route {
  return {
    method: 'GET',
    url: '/api/companies/:id',
    endpoint: {
      operationId: 'getCompany',
      action: 'company_lookup',
      summary: 'Look one company up',
      description:
        'The same operation as GET /api/companies with this one id: the same key replays across both. Returns at most three current observations and the domains they support, not a complete profile. An unknown company is 404 and settles one request unit.',
      tag: 'Look-up',
      notFound: 'company_not_found',
      scope: 'lookup',
      path: closed('CompanyPath', { id: Type.Integer({ ...Id, description: 'The id of the company.' }) }),
      result: { schema: CompanyDetail, description: 'The company.' },
    },
    async handle(call) {
      const readInput = () => ({ input: { ids: [parseId(call.params.id ?? '')] } });
      const answer = await submitOperation(call, readInput, operations.submitCompanyLookup);
      return answer.outcome.case === 'companyLookup' ? oneCompany(answer, answer.outcome.value) : renderAnswer(answer);
    },
  };
}

function oneCompany(answer: OperationAnswer, result: Parameters<typeof renderOneCompany>[0]): Answer {
  const headers = renderOperationHeaders(answer);
  const detail = renderOneCompany(result);
  if (detail) return { kind: 'finished', body: detail, headers: { ...headers, link: LICENCE_LINK } };
  throw new PublicError('company_not_found', 'No deliverable company has this id.', {
    context: renderContext(answer),
    headers,
  });
}
