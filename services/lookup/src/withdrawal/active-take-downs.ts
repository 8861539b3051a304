import type { Queryable } from '@ces/chassis/postgres/pool';
import { resolveCanonicalIds } from '../db/company.ts';
import { findCompaniesByHostname, listActiveTakeDowns } from '../db/take-down.ts';
import type { CheckedObservation } from '../validation/check-observation.ts';

export interface ActiveTakeDowns {
  coversRecord(source: string, record: CheckedObservation): bigint | undefined;
  coversCompany(canonicalId: bigint): bigint | undefined;
}

const NOTHING: ActiveTakeDowns = { coversRecord: () => undefined, coversCompany: () => undefined };

/** Call it in the transaction that records: merges count as they are now. */
export async function readActiveTakeDowns(client: Queryable): Promise<ActiveTakeDowns> {
  const active = await listActiveTakeDowns(client);
  if (active.length === 0) return NOTHING;
  const bySubject = (scope: string) =>
    new Map(active.filter((one) => one.scope === scope).map((one) => [one.subject, one.id]));
  const [sources, hashes, hostnames] = [bySubject('source'), bySubject('raw_record'), bySubject('hostname')];
  const companies = new Map<bigint, bigint>();
  const named = [...bySubject('company')];
  const canonicalIds = await resolveCanonicalIds(
    client,
    named.map(([subject]) => BigInt(subject)),
  );
  for (const [index, [, id]] of named.entries()) companies.set(canonicalIds[index] ?? 0n, id);
  for (const [hostname, tied] of await findCompaniesByHostname(client, [...hostnames.keys()]))
    for (const canonicalId of tied) companies.set(canonicalId, hostnames.get(hostname) ?? 0n);
  return {
    coversRecord(source, record) {
      const raw = [record.contentHash, ...record.evidence.flatMap((one) => one.raw?.recordHash ?? [])];
      const byHash = raw.map((hash) => hashes.get(Buffer.from(hash).toString('hex'))).find((id) => id !== undefined);
      const byHost = record.company?.hostnames
        .map((hostname) => hostnames.get(hostname))
        .find((id) => id !== undefined);
      return sources.get(source) ?? sources.get(record.origin) ?? byHash ?? byHost;
    },
    coversCompany: (canonicalId) => companies.get(canonicalId),
  };
}
