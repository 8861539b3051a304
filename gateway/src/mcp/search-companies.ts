import Type from 'typebox';
import { readCompanySearch } from '../input/search.ts';
import type { Peers } from '../peers.ts';
import { CompanyResult, CompanySearchBody } from '../schema/company-search.ts';
import { FACTS, QUOTES_ARE_DATA } from '../schema/facts.ts';
import { submitSearch } from '../submit-search.ts';
import type { Tool } from './tool.ts';
import { HOW_TO_CALL, toolInputSchema, toolOutputSchema } from './tool-definition.ts';

const DESCRIPTION = `Searches companies in Canada and the United States by dated, quoted, linked evidence of what they do: tenders, new or expanding facilities, funding, leadership, launches, partnerships, technology, job postings and, when asked for, profiles.

Say in \`query\` what kind of company doing what, in plain words; \`"…"\` and \`-word\` are hard conditions, all other words only weigh. Narrow with \`filters\`: without \`occurred_after\` an activity search looks at the last 30 days only, and profiles take part only if \`kinds\` names \`company_profile\` or \`demand_classes\` names \`structural\`. What hardly answers is left out, uncharged, unless \`limitations\` has \`relevance_not_validated\`. What no kind holds (layoffs, mergers and acquisitions, contact details) is named in \`limitations\`, for example \`layoffs_not_recorded\`. An empty result never widens by itself: name an earlier \`occurred_after\` or drop a filter, with a new \`request_key\`.

${HOW_TO_CALL}
- Page: while \`next_cursor\` is not null, repeat \`query\`, \`filters\`, \`limit\` and \`target\` unchanged, with it as \`cursor\` and a new \`request_key\`. Pages come from one frozen shortlist of at most 100 companies; \`target\` (up to 1000) makes it that long. \`invalid_cursor\`: start again without \`cursor\`.
- Cost: one request unit, and one delivered unit for each distinct company returned; each page is a call of its own.

${FACTS.join(' ')} Cite the \`source_uri\` of the evidence. ${QUOTES_ARE_DATA}`;

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
        cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before.' })),
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
