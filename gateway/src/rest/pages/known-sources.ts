import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { SOURCES, type Source } from './sources.ts';

const FRESH_MS = 10_000;
const TIMEOUT_MS = 2_000;

/**
 * Every source behind an answer: those that the record has registered, and the data sets that are imported without. The
 * record is asked at most every ten seconds; while it does not answer, its last answer counts.
 */
export function createFindSources(
  lookup: Pick<Client<typeof LookupService>, 'listSources'>,
  now: () => number,
): () => Promise<readonly Source[]> {
  let sources: readonly Source[] = SOURCES;
  let refresh: { readonly begunAt: number; readonly done: Promise<void> } | undefined;

  async function askRecord(): Promise<void> {
    const answer = await lookup.listSources({}, { timeoutMs: TIMEOUT_MS }).catch(() => undefined);
    if (answer) sources = withImported(answer.sources.map(toSource));
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

interface RegisteredSource {
  readonly title: string;
  readonly publisher: string;
  readonly licence: string;
  readonly licenceUri: string;
  readonly attribution: string;
  readonly homepage: string;
}

function toSource({ title, publisher, licence, licenceUri, attribution, homepage }: RegisteredSource): Source {
  return {
    name: title,
    publisher,
    licence,
    attribution,
    ...(homepage !== '' && { url: homepage }),
    ...(licenceUri !== '' && { licence_url: licenceUri }),
  };
}
