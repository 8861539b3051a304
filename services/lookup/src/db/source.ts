import type { Queryable } from '@ces/chassis/postgres/pool';
import { readRows } from '@ces/chassis/postgres/rows';

export interface SourceTerms {
  readonly name: string;
  readonly title: string;
  readonly publisher: string;
  readonly licence: string;
  readonly licenceUri: string | undefined;
  readonly attribution: string;
  readonly homepage: string | undefined;
}

export async function registerSource(client: Queryable, source: SourceTerms): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into source (name, title, publisher, licence, licence_uri, attribution, homepage)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (name) do update
        set title = excluded.title, publisher = excluded.publisher, licence = excluded.licence,
            licence_uri = excluded.licence_uri, attribution = excluded.attribution, homepage = excluded.homepage
      where (source.title, source.publisher, source.licence, source.licence_uri, source.attribution, source.homepage)
            is distinct from (excluded.title, excluded.publisher, excluded.licence, excluded.licence_uri,
              excluded.attribution, excluded.homepage)`,
    [
      source.name,
      source.title,
      source.publisher,
      source.licence,
      source.licenceUri,
      source.attribution,
      source.homepage,
    ],
  );
  return rowCount === 1;
}

/** When a complete reading began. An earlier time changes nothing. */
export async function noteSourceRead(client: Queryable, name: string, readAt: Date): Promise<void> {
  await client.query('update source set read_at = $2 where name = $1 and (read_at is null or read_at < $2)', [
    name,
    readAt,
  ]);
}

/** `readAt`: start of the latest complete reading. */
export interface ReadSource extends SourceTerms {
  readonly readAt: Date | undefined;
}

export async function listSources(db: Queryable): Promise<ReadSource[]> {
  return await readRows<ReadSource>(
    db,
    `select name, title, publisher, licence, licence_uri as "licenceUri", attribution, homepage, read_at as "readAt"
       from source order by title, name`,
  );
}
