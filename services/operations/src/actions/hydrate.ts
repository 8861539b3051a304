import type { Company } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Hydrated, Reference } from '../model/result.ts';
import { toDate, toTimestamp } from '../time.ts';
import type { ActionDependencies, Bounds } from './action.ts';

export function toReference(company: Company): Reference {
  return {
    company_id: Number(company.id),
    observation_ids: company.observations.map((observation) => Number(observation.id)),
  };
}

/** Reads in their order. Expiry is judged at `judgedAt`, or now; withdrawal is judged now. */
export async function hydrate(
  { lookup }: Pick<ActionDependencies, 'lookup'>,
  references: readonly Reference[],
  judgedAt: Date | undefined,
  bounds: Bounds,
): Promise<{ readonly hydrated: readonly Hydrated[]; readonly readAt: Date }> {
  const response = await lookup.hydrate(
    {
      companies: references.map((reference) => ({
        companyId: BigInt(reference.company_id),
        observationIds: reference.observation_ids.map(BigInt),
      })),
      ...(judgedAt && { expiryJudgedAt: toTimestamp(judgedAt) }),
    },
    bounds,
  );
  if (response.companies.length !== references.length) throw new Error('the record answered with another length');
  return { hydrated: response.companies, readAt: toDate(response.readAt) };
}
