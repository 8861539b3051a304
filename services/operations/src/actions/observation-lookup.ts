import { create } from '@bufbuild/protobuf';
import { CompanySchema, type Observation } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { invalidCursor, openCursor, signCursor } from '../cursor/cursor.ts';
import type { CursorKeys } from '../cursor/keys.ts';
import { pageFingerprint } from '../input/fingerprint.ts';
import type { ObservationLookupForm } from '../input/form.ts';
import { instantToTimestamp } from '../input/instant.ts';
import { microsToTimestamp, toDate, toMicros } from '../time.ts';
import { type Bounds, distinctCompanies, type Hydrated, type Work, type WorkTools } from './action.ts';

const DEFAULT_LIMIT = 100;

/** Where a later page begins. */
export interface RecordedStart {
  /** The first page's `as_of`, in microseconds. */
  readonly until: bigint;
  readonly recordedAt: bigint;
  readonly id: bigint;
  readonly expiresAt: Date;
}

/** The start that a cursor names, undefined without one; INVALID_CURSOR unless it belongs to this account and look-up. */
export function openRecordedPage(
  keys: CursorKeys,
  accountId: bigint,
  form: ObservationLookupForm,
  now: Date,
): RecordedStart | undefined {
  if (form.cursor === undefined) return undefined;
  const binding = { accountId, pageFingerprint: pageFingerprint({ action: 'observation_lookup', form }) };
  const { place, expiresAt } = openCursor(keys, form.cursor, now, binding);
  if (place.kind !== 'recorded') throw invalidCursor();
  return { ...place, expiresAt };
}

/** Observations recorded since an instant for companies of hostnames, oldest recorded first. */
export async function lookUpObservations(
  tools: WorkTools,
  accountId: bigint,
  form: ObservationLookupForm,
  accepted: readonly string[],
  start: RecordedStart | undefined,
  bounds: Bounds,
): Promise<Work> {
  const response = await tools.lookup.lookUpObservations(
    {
      domains: [...accepted],
      since: instantToTimestamp(form.since),
      ...(start && {
        afterRecordedAt: microsToTimestamp(start.recordedAt),
        afterId: start.id,
        until: microsToTimestamp(start.until),
      }),
      limit: form.limit ?? DEFAULT_LIMIT,
    },
    bounds,
  );
  const asOf = toDate(response.asOf);
  const hydrated = response.observations.map(alone);
  const place = {
    kind: 'recorded',
    until: start?.until ?? toMicros(response.asOf),
    recordedAt: response.lastRecordedAt ? toMicros(response.lastRecordedAt) : 0n,
    id: response.lastId,
  } as const;
  const expiresAt = start?.expiresAt ?? new Date(asOf.getTime() + tools.cursorTtlMs);
  const pageOf = { accountId, pageFingerprint: pageFingerprint({ action: 'observation_lookup', form }) };
  return {
    hydrated,
    result: {
      items: response.observations.map(({ id }, index) => ({
        company_id: Number(hydrated[index]?.survivorId),
        observation_ids: [Number(id)],
      })),
      details: {
        action: 'observation_lookup',
        domains: accepted.map((hostname, index) => ({ hostname, found: response.domainFound[index] ?? false })),
      },
      settledCompanyIds: distinctCompanies(hydrated.map((one) => one.survivorId)),
      requestUnits: 1,
      freshEvidenceUnits: 0,
      asOf,
      judgedAt: asOf,
      nextCursor: response.hasMore ? signCursor(tools.cursorKeys, place, expiresAt, pageOf) : undefined,
    },
  };
}

function alone(observation: Observation): Hydrated {
  const { company } = observation;
  if (!company) throw new Error(`observation ${observation.id} came without its company`);
  return {
    survivorId: company.id,
    company: create(CompanySchema, { id: company.id, name: company.name, observations: [observation] }),
  };
}
