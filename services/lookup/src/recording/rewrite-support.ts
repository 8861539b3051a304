import type { Queryable } from '@ces/chassis/postgres/pool';
import { appendCompanyChanges } from '../changes/change-feed.ts';
import { dropUnnamedSupport, supportNamed } from '../db/company-domain.ts';
import type { AssignedRecord } from '../db/observation.ts';

export async function rewriteSupport(
  client: Queryable,
  source: string,
  records: readonly AssignedRecord[],
): Promise<void> {
  const named = records.map(supportOf);
  const companies = [
    ...(await dropUnnamedSupport(client, source, named)),
    ...(await supportNamed(client, source, named)),
  ];
  await appendCompanyChanges(client, [...new Set(companies)]);
}

export function supportOf({ observationId, companyId, record }: AssignedRecord) {
  return { observationId, companyId, hostnames: record.hostnames };
}
