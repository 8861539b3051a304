import type { Queryable } from '@ces/chassis/postgres/pool';
import type { PepperChange, Peppers } from '../credential/pepper.ts';

/** A row that has changed since it was read stays. Locks by id, as `recordUse` does. */
export async function writePepperChanges(db: Queryable, moves: ReadonlyMap<bigint, PepperChange>): Promise<void> {
  const all = [...moves];
  const moved = all.flatMap(([id, move]) => (move.kind === 'move' ? [{ id, ...move }] : []));
  const forgotten = all.flatMap(([id, move]) => (move.kind === 'forget' ? [{ id, ...move }] : []));
  if (moved.length > 0)
    await db.query({
      name: 'move-credentials',
      text: `
        with mine as (
          select id from credential where id = any($1::bigint[]) order by id for update
        )
        update credential c
        set pepper = coalesce(c.moved_pepper, c.pepper), digest = coalesce(c.moved_digest, c.digest),
            moved_pepper = m.pepper, moved_digest = m.digest
        from unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[]) as m (id, from_pepper, pepper, digest), mine
        where c.id = m.id and c.id = mine.id and coalesce(c.moved_pepper, c.pepper) = m.from_pepper`,
      values: [
        moved.map(({ id }) => id),
        moved.map(({ from }) => from),
        moved.map(({ to }) => to.pepper),
        moved.map(({ to }) => to.digest),
      ],
    });
  if (forgotten.length > 0)
    await db.query({
      name: 'forget-former-digests',
      text: `
        with mine as (
          select id from credential where id = any($1::bigint[]) order by id for update
        )
        update credential c
        set pepper = c.moved_pepper, digest = c.moved_digest, moved_pepper = null, moved_digest = null
        from unnest($1::bigint[], $2::text[]) as m (id, pepper), mine
        where c.id = m.id and c.id = mine.id and c.pepper = m.pepper and c.moved_pepper is not null`,
      values: [forgotten.map(({ id }) => id), forgotten.map(({ pepper }) => pepper)],
    });
}

export interface PepperNeeds {
  readonly old: number;
  /** Refused, because no pepper of theirs is configured. */
  readonly missing: number;
  readonly missingPeppers: readonly string[];
}

export async function readPepperNeeds(db: Queryable, [newest, ...others]: Peppers): Promise<PepperNeeds> {
  const { rows } = await db.query<{ old: bigint; missing: bigint; missing_peppers: string[] | null }>({
    name: 'read-pepper-needs',
    text: `
      select count(*) filter (where lives) as old, count(*) filter (where not lives) as missing,
             array_agg(distinct current) filter (where not lives) as missing_peppers
      from (
        select coalesce(moved_pepper, pepper) as current,
               pepper = any($2::text[]) or coalesce(moved_pepper = any($2::text[]), false) as lives
        from credential
        where revoked_at is null and (expires_at is null or expires_at > clock_timestamp())
              and coalesce(moved_pepper, pepper) <> $1
      ) needing`,
    values: [newest.name, [newest, ...others].map(({ name }) => name)],
  });
  const [{ old = 0n, missing = 0n, missing_peppers: missingPeppers = [] } = {}] = rows;
  return { old: Number(old), missing: Number(missing), missingPeppers: missingPeppers ?? [] };
}
