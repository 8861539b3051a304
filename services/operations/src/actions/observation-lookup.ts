import { create } from '@bufbuild/protobuf';
import { CompanySchema, type Observation } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type ObservationLookupInput,
  ObservationLookupInputSchema,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { openCursor, signCursor } from '../cursor/cursor.ts';
import type { CursorKeys } from '../cursor/keys.ts';
import { pageFingerprint } from '../input/fingerprint.ts';
import type { ObservationLookupForm } from '../input/form.ts';
import { instantToTimestamp } from '../input/instant.ts';
import { parseObservationLookup } from '../input/parse.ts';
import type { Hydrated } from '../model/result.ts';
import { microsToTimestamp, toDate, toMicros } from '../time.ts';
import {
  type ActionDependencies,
  type ActionOutput,
  type Bounds,
  distinctCompanies,
  type RequestedAction,
} from './action.ts';

const DEFAULT_LIMIT = 100;

export function requestObservationLookup(
  deps: ActionDependencies,
  input: ObservationLookupInput = create(ObservationLookupInputSchema),
): RequestedAction {
  const { domains, form } = parseObservationLookup(input);
  return {
    input: { action: 'observation_lookup', form },
    admit: ({ accountId }, now) => {
      const start = openPage(deps.cursorKeys, accountId, form, now);
      return {
        kind: 'charge',
        worstCaseUnits: domains.length,
        perform: (bounds) => lookUpObservations(deps, accountId, form, domains, start, bounds),
      };
    },
  };
}

interface RecordedStart {
  readonly until: bigint;
  readonly recordedAt: bigint;
  readonly id: bigint;
  readonly expiresAt: Date;
}

/** Throws INVALID_CURSOR unless it belongs to this account and lookup. */
function openPage(
  keys: CursorKeys,
  accountId: bigint,
  form: ObservationLookupForm,
  now: Date,
): RecordedStart | undefined {
  if (form.cursor === undefined) return undefined;
  const binding = { accountId, pageFingerprint: pageFingerprint({ action: 'observation_lookup', form }) };
  const { position, expiresAt } = openCursor(keys, 'recorded', form.cursor, now, binding);
  return { ...position, expiresAt };
}

async function lookUpObservations(
  deps: ActionDependencies,
  accountId: bigint,
  form: ObservationLookupForm,
  accepted: readonly string[],
  start: RecordedStart | undefined,
  bounds: Bounds,
): Promise<ActionOutput> {
  const response = await deps.lookup.lookUpObservations(
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
  const hydrated = response.observations.map(asHydrated);
  const position = {
    kind: 'recorded',
    until: start?.until ?? toMicros(response.asOf),
    recordedAt: response.lastRecordedAt ? toMicros(response.lastRecordedAt) : 0n,
    id: response.lastId,
  } as const;
  const expiresAt = start?.expiresAt ?? new Date(asOf.getTime() + deps.cursorTtlMs);
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
      nextCursor: response.hasMore ? signCursor(deps.cursorKeys, position, expiresAt, pageOf) : undefined,
    },
  };
}

function asHydrated(observation: Observation): Hydrated {
  const { company } = observation;
  if (!company) throw new Error(`observation ${observation.id} came without its company`);
  return {
    survivorId: company.id,
    company: create(CompanySchema, { id: company.id, name: company.name, observations: [observation] }),
  };
}
