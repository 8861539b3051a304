import type { Queryable } from '@ces/chassis/postgres/pool';
import { resolveSurvivors } from '../db/company.ts';
import { findTied, readStanding } from '../db/take-down.ts';
import type { CheckedObservation } from '../validation/check-observation.ts';

/** What take-downs that stand keep out of the record. */
export interface StandingTakeDowns {
  /** Which of them covers a record by what it says itself; undefined: none. */
  coversRecord(source: string, record: CheckedObservation): bigint | undefined;
  /** Which of them covers a company that survives; undefined: none. */
  coversCompany(survivorId: bigint): bigint | undefined;
}

const NOTHING: StandingTakeDowns = { coversRecord: () => undefined, coversCompany: () => undefined };

/** Reads them inside the transaction that records; companies as they are merged now. */
export async function readStandingTakeDowns(client: Queryable): Promise<StandingTakeDowns> {
  const standing = await readStanding(client);
  if (standing.length === 0) return NOTHING;
  const bySubject = (scope: string) =>
    new Map(standing.filter((one) => one.scope === scope).map((one) => [one.subject, one.id]));
  const [sources, hashes, hostnames] = [bySubject('source'), bySubject('raw_record'), bySubject('hostname')];
  const companies = new Map<bigint, bigint>();
  const named = [...bySubject('company')];
  const survivors = await resolveSurvivors(
    client,
    named.map(([subject]) => BigInt(subject)),
  );
  for (const [place, [, id]] of named.entries()) companies.set(survivors[place] ?? 0n, id);
  for (const [hostname, tied] of await findTied(client, [...hostnames.keys()]))
    for (const survivorId of tied) companies.set(survivorId, hostnames.get(hostname) ?? 0n);
  return {
    coversRecord(source, record) {
      const raw = [record.contentHash, ...record.evidence.flatMap((one) => one.raw?.recordHash ?? [])];
      const byHash = raw.map((hash) => hashes.get(Buffer.from(hash).toString('hex'))).find((id) => id !== undefined);
      const byHost = record.company?.hostnames
        .map((hostname) => hostnames.get(hostname))
        .find((id) => id !== undefined);
      return sources.get(source) ?? sources.get(record.origin) ?? byHash ?? byHost;
    },
    coversCompany: (survivorId) => companies.get(survivorId),
  };
}
