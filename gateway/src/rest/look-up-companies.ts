import Type from 'typebox';
import { readCompanyLookupQuery } from '../input/company-lookup.ts';
import { renderAnswer } from '../output/answer.ts';
import type { Peers } from '../peers.ts';
import { CompanyLookupInput, CompanyLookupResult } from '../schema/company-lookup.ts';
import { closed } from '../schema/primitives.ts';
import { submitOperation } from '../submit-operation.ts';
import type { Route } from './route.ts';

export function lookUpCompanies({ operations }: Peers): Route {
  return {
    method: 'GET',
    url: '/api/companies',
    endpoint: {
      operationId: 'lookUpCompanies',
      action: 'company_lookup',
      summary: 'Look companies up',
      description:
        'Looks up to 20 ids or up to 20 domains up, not both. No provider call, no AI call, no new data. Settles one request unit and one delivered unit per distinct returned company.',
      tag: 'Look-up',
      scope: 'lookup',
      query: closed('CompanyLookupQuery', {
        'ids[]': Type.Optional(CompanyLookupInput.ids),
        'domains[]': Type.Optional(CompanyLookupInput.domains),
      }),
      result: { schema: CompanyLookupResult, description: 'An outcome for each distinct input.' },
    },
    async handle(call) {
      const readInput = () => ({ input: readCompanyLookupQuery(call.url) });
      return renderAnswer(await submitOperation(call, readInput, operations.submitCompanyLookup));
    },
  };
}
