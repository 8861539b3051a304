import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Company } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyLookupResultSchema, LookupItemSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { LOOKUP_STATUSES } from '../model/enum-names.ts';
import type { CompanyLookupDetails, FrozenOutcome, Hydrated, StoredResult } from '../model/result.ts';
import { toTimestamp } from '../time.ts';
import { CONSTANT_LIMITATIONS, currentLimitations } from './limitations.ts';

/** Frozen, but `found` becomes `unavailable` while nothing can be shown. */
export function renderCompanyLookup(
  result: StoredResult,
  details: CompanyLookupDetails,
  hydrated: readonly Hydrated[],
): MessageInitShape<typeof CompanyLookupResultSchema> {
  const shown = new Map<bigint, Company>();
  for (const { survivorId, company } of hydrated) if (company && !shown.has(survivorId)) shown.set(survivorId, company);
  const withheld = result.settledCompanyIds.length - shown.size;
  return {
    asOf: toTimestamp(result.asOf),
    companies: [...shown.values()],
    lookups: details.outcomes.map((outcome) => renderOutcome(outcome, hydrated, shown)),
    limitations: currentLimitations(CONSTANT_LIMITATIONS, withheld),
    withheldUnits: BigInt(withheld),
  };
}

function renderOutcome(
  { input, status, item }: FrozenOutcome,
  hydrated: readonly Hydrated[],
  shown: ReadonlyMap<bigint, Company>,
): MessageInitShape<typeof LookupItemSchema> {
  const asked =
    'id' in input
      ? ({ case: 'id', value: BigInt(input.id) } as const)
      : ({ case: 'domain', value: input.domain } as const);
  const companyId = item === undefined ? undefined : hydrated[item]?.survivorId;
  if (status === 'found' && companyId !== undefined && shown.has(companyId))
    return { input: asked, status: LOOKUP_STATUSES.found, companyId };
  return { input: asked, status: LOOKUP_STATUSES[status === 'found' ? 'unavailable' : status] };
}
