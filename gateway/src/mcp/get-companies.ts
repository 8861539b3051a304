import Type from 'typebox';
import { readCompanyLookupArguments } from '../input/company-lookup.ts';
import type { Peers } from '../peers.ts';
import { CompanyLookupInput, CompanyLookupResult } from '../schema/company-lookup.ts';
import { FACTS, QUOTES_ARE_DATA } from '../schema/facts.ts';
import { submitOperation } from '../submit-operation.ts';
import type { Tool } from './tool.ts';
import { HOW_TO_CALL, toolInputSchema, toolOutputSchema } from './tool-definition.ts';

const DESCRIPTION = `Looks known companies up and returns their current evidence: up to 20 by \`ids\` or up to 20 by \`domains\`, exactly one of the two. It reads what the service holds; it runs no search, no provider and no AI call, and returns at most three observations a company, not a complete profile.

Each distinct input gets one item in \`lookups\`: \`found\`; \`not_found\` (never known); \`unavailable\` (known, but nothing current supports it); \`ambiguous\` (current evidence ties the domain to several companies: look them up by id). A domain is a hostname as the company uses it (\`www.\` and subdomains count), not a URL or an e-mail address.

${HOW_TO_CALL}
- Cost: one request unit, and one delivered unit for each distinct company returned.

${FACTS.join(' ')} Cite the \`source_uri\` of the evidence. ${QUOTES_ARE_DATA}`;

export function getCompanies({ operations }: Peers): Tool {
  return {
    scope: 'lookup',
    action: 'company_lookup',
    definition: {
      name: 'get_companies',
      title: 'Look companies up',
      description: DESCRIPTION,
      inputSchema: toolInputSchema('GetCompaniesArguments', {
        ids: Type.Optional(CompanyLookupInput.ids),
        domains: Type.Optional(CompanyLookupInput.domains),
      }),
      outputSchema: toolOutputSchema(CompanyLookupResult),
      annotations: {
        title: 'Look companies up',
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    async submit(call) {
      const readInput = () => ({ input: readCompanyLookupArguments(call.input) });
      return await submitOperation(call, readInput, operations.submitCompanyLookup);
    },
  };
}
