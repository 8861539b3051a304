import Type from 'typebox';
import { readCompanySearch } from '../input/search.ts';
import type { Peers } from '../peers.ts';
import { CompanyResult, CompanySearchBody } from '../schema/company-search.ts';
import { FACTS, QUOTES_ARE_DATA } from '../schema/facts.ts';
import { submitSearch } from '../submit-search.ts';
import type { Tool } from './tool.ts';
import { HOW_TO_CALL, toolInputSchema, toolOutputSchema } from './tool-definition.ts';

const DESCRIPTION = `Searches companies in Canada and the United States by dated, quoted, linked evidence of what they do: tenders, plants, funding, leadership, launches, partnerships, technology, jobs.

- \`query\` says in plain words which companies do what. \`filters\` exclude. Without \`occurred_after\` only the last 30 days count, and profiles only if \`kinds\` names them.
${HOW_TO_CALL}

${FACTS.join(' ')} Cite \`source_uri\`. ${QUOTES_ARE_DATA}`;

export function searchCompanies({ operations }: Peers): Tool {
  return {
    scope: 'search',
    action: 'company_search',
    definition: {
      name: 'search_companies',
      title: 'Search companies by evidence',
      description: DESCRIPTION,
      inputSchema: toolInputSchema('SearchCompaniesArguments', {
        ...CompanySearchBody.properties,
        background: Type.Optional(
          Type.Boolean({
            description: 'True answers at once with a pending operation; repeat the identical call to poll.',
          }),
        ),
        cursor: Type.Optional(
          Type.String({
            description:
              '`next_cursor` of the page before, with the same query, filters, limit and target and a new `request_key`. After `invalid_cursor` start again without it.',
          }),
        ),
      }),
      outputSchema: toolOutputSchema(CompanyResult),
      annotations: {
        title: 'Search companies by evidence',
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: true,
      },
    },
    async submit(call) {
      return await submitSearch(call, () => readCompanySearch(call.input), operations.submitCompanySearch, operations);
    },
  };
}
