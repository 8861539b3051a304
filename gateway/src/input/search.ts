import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CompanySearchInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { CompanySearchBody } from '../schema/company-search.ts';
import { filtersInput } from './filters.ts';
import { shapeCheck } from './shape.ts';

const check = shapeCheck(CompanySearchBody);

/** A company search as sent; REST bodies and MCP arguments have the same shape. Throws InvalidInput. */
export function companySearchInput(body: unknown): {
  readonly input: MessageInitShape<typeof CompanySearchInputSchema>;
  readonly background: boolean;
} {
  const { background = false, filters, ...input } = check(body);
  return { input: { ...input, filters: filtersInput(filters) }, background };
}
