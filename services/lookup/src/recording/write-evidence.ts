import type { Queryable } from '@ces/chassis/postgres/pool';
import { appendObservationChanges } from '../changes/change-feed.ts';
import { findClosings } from '../db/closing.ts';
import { lockCompanies } from '../db/company.ts';
import { closesEvent, expiryAfter } from '../deduplication/closed-event.ts';
import { eventKeysOf } from '../deduplication/event-key.ts';
import type { ResolutionVocabulary } from '../matching/vocabulary.ts';
import { resolveNamedCompanies } from '../resolution/resolve-named-companies.ts';
import type { CheckedObservation } from '../validation/check-observation.ts';
import { readActiveTakeDowns } from '../withdrawal/active-take-downs.ts';
import { type BatchResults, refused } from './batch-results.ts';
import type { ResolvedRecord } from './find-duplicates.ts';
import { writeInOrder } from './write-in-order.ts';

interface WrittenEvidence {
  readonly tx: bigint | undefined;
  readonly companies: ReadonlyMap<number, bigint>;
}

/**
 * Refuses records that a take-down covers. One order of locks avoids deadlocks: resolution
 * (exclusive for inline companies), companies, source keys, commit order.
 */
export async function writeEvidence(
  client: Queryable,
  vocabulary: ResolutionVocabulary,
  source: string,
  records: readonly (CheckedObservation & { readonly index: number })[],
  results: BatchResults,
): Promise<WrittenEvidence> {
  const takeDowns = await readActiveTakeDowns(client);
  const allowed = records.filter((record) => isAllowed(record.index, takeDowns.coversRecord(source, record), results));
  const inline = allowed.flatMap(({ company, occurredAt }) => (company ? [{ ...company, usedAt: occurredAt }] : []));
  const named = await resolveNamedCompanies(client, vocabulary, source, inline);
  const keyed = new Set(allowed.flatMap((record) => (record.company ? [] : record.companyKey)));
  const locked = await lockCompanies(client, source, [...keyed]);
  const byCompanyKey = new Map(locked.map((company) => [company.key, company]));
  const resolved = allowed.flatMap((record): ResolvedRecord[] => {
    const company = (record.company ? named.byCompanyKey : byCompanyKey).get(record.companyKey);
    if (!company) {
      results.set(record.index, refused('its company is not recorded: record the company first'));
      return [];
    }
    const { companyId, canonicalId } = company;
    return isAllowed(record.index, takeDowns.coversCompany(canonicalId), results)
      ? [{ ...record, companyId, canonicalId, eventKeys: eventKeysOf(record) }]
      : [];
  });
  const changed = await writeInOrder(client, source, await withClosings(client, resolved), results);
  const tx = (await appendObservationChanges(client, [...changed], results.createdIds())) ?? named.tx;
  const companies = resolved.flatMap((record): [number, bigint][] =>
    record.company ? [[record.index, record.canonicalId]] : [],
  );
  return { tx, companies: new Map(companies) };
}

function isAllowed(index: number, takeDownId: bigint | undefined, results: BatchResults): boolean {
  if (takeDownId !== undefined) results.set(index, refused(`take-down ${takeDownId} covers it`));
  return takeDownId === undefined;
}

async function withClosings(client: Queryable, records: readonly ResolvedRecord[]): Promise<readonly ResolvedRecord[]> {
  const eventKeysOf = ({ kind, eventIdentifiers }: ResolvedRecord) =>
    eventIdentifiers.map((identifier) => ({ ...identifier, kind }));
  const closings = await findClosings(client, records.flatMap(eventKeysOf));
  if (closings.length === 0) return records;
  return records.map((record) => {
    const identifiers = new Set(eventKeysOf(record).map(({ scheme, value, kind }) => `${scheme} ${value} ${kind}`));
    const about = closings.filter(
      ({ scheme, value, kind, closedAt, canonicalId }) =>
        identifiers.has(`${scheme} ${value} ${kind}`) &&
        closesEvent({ identifier: { scheme, value }, closedAt, canonicalId }, record.canonicalId),
    );
    return { ...record, expiresAt: expiryAfter(record, about) };
  });
}
