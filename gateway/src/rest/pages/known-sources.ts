import { dateOf } from '@ces/chassis/instant';
import { countryName, kindName } from '@ces/proto/catalog';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Source as RegisteredSource, SourceCoverage } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@connectrpc/connect';
import { SOURCES, type Source, type WeekOfSource } from './sources.ts';

const FRESH_MS = 10_000;
const TIMEOUT_MS = 2_000;

/**
 * Registered sources and imported data sets. Asks at most every ten seconds, and keeps the last
 * answer while the record does not respond.
 */
export function createFindSources(
  lookup: Pick<Client<typeof LookupService>, 'listSources'>,
  now: () => number,
): () => Promise<readonly Source[]> {
  let sources: readonly Source[] = SOURCES;
  let refresh: { readonly begunAt: number; readonly done: Promise<void> } | undefined;

  async function askRecord(): Promise<void> {
    const answer = await lookup.listSources({}, { timeoutMs: TIMEOUT_MS }).catch(() => undefined);
    if (!answer) return;
    const weeks = Map.groupBy(answer.coverage, (row) => row.source);
    sources = withImported(answer.sources.map((source) => toSource(source, weeks.get(source.name) ?? [])));
  }

  return async () => {
    if (!refresh || now() - refresh.begunAt > FRESH_MS) refresh = { begunAt: now(), done: askRecord() };
    await refresh.done;
    return sources;
  };
}

function withImported(registered: readonly Source[]): readonly Source[] {
  const titles = new Set(registered.map((source) => source.name));
  return [...registered, ...SOURCES.filter((source) => !titles.has(source.name))];
}

function toSource(source: RegisteredSource, coverage: readonly SourceCoverage[]): Source {
  const { title, publisher, licence, licenceUri, attribution, homepage, readAt } = source;
  return {
    name: title,
    publisher,
    licence,
    attribution,
    ...(homepage !== '' && { url: homepage }),
    ...(licenceUri !== '' && { licence_url: licenceUri }),
    ...(readAt && { read_until: dateOf(readAt).toISOString() }),
    ...(coverage.length > 0 && { last_week: coverage.map(toWeek) }),
  };
}

function toWeek({ kind, country, weekCount, newestAt, medianDelayS }: SourceCoverage): WeekOfSource {
  return {
    kind: kindName(kind) ?? 'unknown',
    country: countryName(country) ?? 'unknown',
    observations: Number(weekCount),
    newest_event_at: newestAt ? dateOf(newestAt).toISOString() : null,
    median_delay_hours: medianDelayS === undefined ? null : Math.round(medianDelayS / 360) / 10,
  };
}
