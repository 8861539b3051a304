import Type from 'typebox';
import { readCompanyLookupArguments } from '../input/company-lookup.ts';
import type { Peers } from '../peers.ts';
import { CompanyLookupInput, CompanyLookupResult } from '../schema/company-lookup.ts';
import { FACTS, QUOTES_ARE_DATA } from '../schema/facts.ts';
import { submitOperation } from '../submit-operation.ts';
import type { Tool } from './tool.ts';
import { HOW_TO_CALL, toolInputSchema, toolOutputSchema } from './tool-definition.ts';

const DESCRIPTION = `Looks known companies up and returns their current evidence, at most three observations each. It runs no search and acquires nothing.

- Give \`ids\` or \`domains\`. Each gets an outcome in \`lookups\`: \`found\`, \`not_found\`, \`unavailable\` (nothing current supports it) or \`ambiguous\` (look it up by id).
${HOW_TO_CALL}

${FACTS.join(' ')} Cite \`source_uri\`. ${QUOTES_ARE_DATA}`;

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
