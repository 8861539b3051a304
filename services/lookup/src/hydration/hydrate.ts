import type { Queryable } from '@ces/chassis/postgres/pool';
import {
  RENDERED_COLUMNS,
  RENDERED_FROM,
  type RenderedRow,
  renderedDeliverable,
  sameCompany,
} from './rendered-observation.ts';

export interface Reference {
  readonly companyId: bigint;
  readonly observationIds: readonly bigint[];
}

/** First answers, later pages and replays all use only this. */
export interface HydratedReference {
  readonly company: { readonly id: bigint; readonly name: string } | undefined;
  /** Rows of the canonical company, in the order of the reference. */
  readonly rows: readonly RenderedRow[];
}

/** Expiry at `judgedAt` (undefined: now), withdrawal always now. */
export async function hydrate(
  db: Queryable,
  references: readonly Reference[],
  judgedAt: Date | undefined,
): Promise<{ references: HydratedReference[]; readAt: Date }> {
  const named = references.flatMap(({ companyId, observationIds }, index) =>
    (observationIds.length > 0 ? observationIds : [undefined]).map((id) => ({ index, companyId, id })),
  );
  const { rows } = await db.query<HydratedRow>({
    name: 'hydrate',
    text: HYDRATE,
    values: [named.map((one) => one.index), named.map((one) => one.companyId), named.map((one) => one.id), judgedAt],
  });
  const grouped = Map.groupBy(rows, (row) => row.reference_index);
  return {
    references: references.map((_, index) => toHydrated(grouped.get(index) ?? [])),
    readAt: rows[0]?.read_at ?? new Date(),
  };
}

/**
 * Omits observations of another canonical company: a reference may predate a split. `offset 0`
 * forces a look-up by id: on empty tables, an index of deliverable observations looks cheaper.
 */
const HYDRATE = `
  select named.reference_index, canonical.id as canonical_id, canonical.name as canonical_name,
         statement_timestamp() as read_at, shown.*
    from unnest($1::integer[], $2::bigint[], $3::bigint[]) with ordinality
           as named(reference_index, company_id, observation_id, position)
    left join company c on c.id = named.company_id
    left join company canonical on canonical.id = c.survivor_id
    left join lateral (
      select ${RENDERED_COLUMNS}, canonical.id as company_id, canonical.name as company_name
        from (select * from observation where id = named.observation_id offset 0) o
        ${RENDERED_FROM}
       where ${sameCompany('o.company_id', 'c.id')}
         and ${renderedDeliverable('coalesce($4::timestamptz, statement_timestamp())')}) shown on true
   order by named.position`;

interface HydratedRow extends Omit<RenderedRow, 'id'> {
  readonly reference_index: number;
  readonly canonical_id: bigint | null;
  readonly canonical_name: string | null;
  readonly read_at: Date;
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
