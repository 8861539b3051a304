import type { Queryable } from '@ces/chassis/postgres/pool';
import { isCurrent } from './look-up.ts';
import {
  COMPANY_COLUMNS,
  COMPANY_FROM,
  deliverable,
  RENDERED_COLUMNS,
  RENDERED_FROM,
  type RenderedRow,
} from './rendered-observation.ts';

export interface FeedRange {
  readonly since: Date;
  readonly after: { readonly recordedAt: Date; readonly id: bigint } | undefined;
  readonly until: Date;
  readonly limit: number;
}

export interface RecordedObservationRow extends RenderedRow {
  readonly recorded_at: Date;
}

export async function lookUpObservations(
  db: Queryable,
  hostnames: readonly string[],
  { since, after, until, limit }: FeedRange,
): Promise<RecordedObservationRow[]> {
  const { rows } = await db.query<RecordedObservationRow>(
    `with tied as (
       select distinct c.survivor_id
         from unnest($1::text[]) as i(hostname)
         join domain d on d.hostname = i.hostname
         join company_domain cd on cd.domain_id = d.id
         join company c on c.id = cd.company_id
        where ${isCurrent('statement_timestamp()')}),
     page as (
       select o.*
         from tied
         join company member on member.survivor_id = tied.survivor_id
        cross join lateral (
          select * from observation o
           where o.company_id = member.id and o.recorded_at > $2 and o.recorded_at <= $3
             and ($4::timestamptz is null or (o.recorded_at, o.id) > ($4, $5::bigint))
             and ${deliverable('statement_timestamp()')}
           order by o.recorded_at, o.id limit $6) o
        order by o.recorded_at, o.id
        limit $6)
     select o.recorded_at, ${RENDERED_COLUMNS}, ${COMPANY_COLUMNS}
       from page o ${COMPANY_FROM} ${RENDERED_FROM}
      order by o.recorded_at, o.id`,
    [hostnames, since, until, after?.recordedAt, after?.id, limit],
  );
  return rows;
}

export async function findKnownHostnames(db: Queryable, hostnames: readonly string[]): Promise<boolean[]> {
  const { rows } = await db.query<{ known: boolean }>(
    `select exists (select 1 from domain d join company_domain cd on cd.domain_id = d.id
                     where d.hostname = i.hostname) as known
       from unnest($1::text[]) with ordinality as i(hostname, position)
      order by i.position`,
    [hostnames],
  );
  return rows.map((row) => row.known);
}

export async function findObservation(db: Queryable, id: bigint): Promise<RenderedRow | undefined> {
  const { rows } = await db.query<RenderedRow>({
    name: 'find observation',
    // `offset 0` forces a look-up by id.
    text: `select ${RENDERED_COLUMNS}, ${COMPANY_COLUMNS}
             from (select * from observation where id = $1 offset 0) o ${COMPANY_FROM} ${RENDERED_FROM}
            where ${deliverable('statement_timestamp()')}`,
    values: [id],
  });
  return rows[0];
}
