import type { Queryable } from '@ces/chassis/postgres/pool';
import { RENDERED_COLUMNS, RENDERED_FROM, type RenderedRow, renderedDeliverable } from './rendered-observation.ts';

/** A stored reference: a company and the observations to show, in order. */
export interface Reference {
  readonly companyId: bigint;
  readonly observationIds: readonly bigint[];
}

/** What the record makes of a reference now. */
export interface HydratedReference {
  /** The canonical company; undefined when the company is unknown. */
  readonly company: { readonly id: bigint; readonly name: string } | undefined;
  /** What may be delivered of its observations, in the order of the reference. */
  readonly rows: readonly RenderedRow[];
}

/** Reads references: expiry judged at `judgedAt` (undefined: now), withdrawal always now. */
export async function hydrate(
  db: Queryable,
  references: readonly Reference[],
  judgedAt: Date | undefined,
): Promise<{ references: HydratedReference[]; readAt: Date }> {
  const named = references.flatMap(({ observationIds }, index) =>
    observationIds.map((id) => ({ id, referenceIndex: index + 1 })),
  );
  const { rows } = await db.query<HydratedRow>({
    name: 'hydrate',
    text: HYDRATE,
    values: [
      references.map((reference) => reference.companyId),
      named.map((one) => one.referenceIndex),
      named.map((one) => one.id),
      judgedAt,
    ],
  });
  const grouped = Map.groupBy(rows, (row) => Number(row.reference_index));
  return {
    references: references.map((_, index) => toHydrated(grouped.get(index + 1) ?? [])),
    readAt: rows[0]?.read_at ?? new Date(),
  };
}

/** `offset 0` has each observation asked for by its id: an index of what is deliverable alone looks cheaper to a planner that met empty tables. */
const HYDRATE = `
  select reference.reference_index, canonical.id as canonical_id, canonical.name as canonical_name,
         statement_timestamp() as read_at, shown.*
    from unnest($1::bigint[]) with ordinality as reference(company_id, reference_index)
    left join company c on c.id = reference.company_id
    left join company canonical on canonical.id = c.survivor_id
    left join (
      select listed.reference_index as shown_for, listed.position, ${RENDERED_COLUMNS}
        from unnest($2::bigint[], $3::bigint[]) with ordinality as listed(reference_index, observation_id, position)
       cross join lateral (select * from observation where id = listed.observation_id offset 0) o
        ${RENDERED_FROM}
       where ${renderedDeliverable('coalesce($4::timestamptz, statement_timestamp())')}) shown
      on shown.shown_for = reference.reference_index
   order by reference.reference_index, shown.position`;

interface HydratedRow extends Omit<RenderedRow, 'id'> {
  readonly reference_index: bigint;
  readonly canonical_id: bigint | null;
  readonly canonical_name: string | null;
  readonly read_at: Date;
  /** Null: no observation is deliverable. */
  readonly id: bigint | null;
}

function toHydrated(rows: readonly HydratedRow[]): HydratedReference {
  const [first] = rows;
  const name = first?.canonical_name ?? '';
  return {
    company: first?.canonical_id == null ? undefined : { id: first.canonical_id, name },
    rows: rows.filter((row): row is HydratedRow & RenderedRow => row.id !== null),
  };
}
