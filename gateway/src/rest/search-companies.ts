import { readCompanySearch } from '../input/search.ts';
import { renderAnswer } from '../output/answer.ts';
import type { Peers } from '../peers.ts';
import { CompanyResult, CompanySearchBody } from '../schema/company-search.ts';
import { submitSearch } from '../submit-search.ts';
import type { Route } from './route.ts';

export function searchCompanies({ operations }: Peers): Route {
  return {
    method: 'POST',
    url: '/api/companies/search',
    endpoint: {
      operationId: 'searchCompanies',
      action: 'company_search',
      summary: 'Search companies',
      description:
        'Searches companies by the evidence of their activities. Waits up to 25 s for the result, then answers 202 while the operation goes on; with `background` true it answers 202 first, always. Settles one request unit and one delivered unit per distinct company. To page, repeat query, filters, limit and target with `next_cursor` and a new key: pages come from a frozen shortlist of at most 100 companies, or `target`.',
      tag: 'Search',
      scope: 'search',
      body: { schema: CompanySearchBody, required: true },
      result: { schema: CompanyResult, description: 'The finished search.' },
    },
    async handle(call) {
      const readInput = () => readCompanySearch(call.body);
      return renderAnswer(await submitSearch(call, readInput, operations.submitCompanySearch, operations));
    },
  };
}
