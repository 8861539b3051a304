import type { FetchRequest, Source } from '../connector/source.ts';
import { findFetched, saveFetched } from '../db/fetched-document.ts';
import { readState, type SourceSecrets, settingsOf } from '../db/source-state.ts';
import { BudgetUsedUp, isSourceFailure } from '../fetch/errors.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import { documentName } from '../fetch/target.ts';
import { type IngestTools, ingestDocument } from '../ingest/ingest-document.ts';
import { type ActiveRun, RunStopped } from './active-run.ts';
import type { SourceRegistrar } from './register-source.ts';

export interface FetchTools extends IngestTools {
  readonly fetcher: Fetcher;
  readonly registrar: SourceRegistrar;
  readonly secrets: SourceSecrets;
}

const MOST_WAITING = 20_000;
const MOST_FAILURES = 5;

export async function fetchSource(tools: FetchTools, source: Source, run: ActiveRun): Promise<void> {
  const state = await readState(tools.pool, source.name);
  const { values: settings, missing } = settingsOf(source, state, tools.secrets);
  if (missing.length > 0) throw new RunStopped(`settings are missing: ${missing.join(', ')}`);
  await tools.registrar.register(source);
  const queue = new Queue(source.requests?.({ now: tools.clock.now(), settings, watermark: state.watermark }) ?? []);
  for (let request = queue.next(), failures = 0; request; request = queue.next()) {
    if (run.counts.requests >= source.politeness.maxRequestsPerRun)
      throw new RunStopped('the requests of a run are used up; the next one goes on');
    try {
      for (const followUp of await readOne(tools, source, request, settings, run)) queue.add(followUp);
      failures = 0;
    } catch (error) {
      if (error instanceof BudgetUsedUp) throw new RunStopped(error.message);
      if (!isSourceFailure(error)) throw error;
      failures += 1;
      if (!queue.isFollowUp(request) || failures === MOST_FAILURES) throw error;
      run.counts.refuse({ key: request.url.slice(0, 400), field: 'document', reason: error.message });
    }
    await run.checkIn();
  }
}

async function readOne(
  tools: FetchTools,
  source: Source,
  request: FetchRequest,
  settings: ReadonlyMap<string, string>,
  run: ActiveRun,
): Promise<readonly FetchRequest[]> {
  const { pool, fetcher } = tools;
  const { counts, signal } = run;
  const name = documentName(request);
  const known = await findFetched(pool, source.name, name);
  if (known && request.once) return [];
  const fetched = await fetcher.fetch({
    source,
    request,
    settings,
    signal,
    known,
    traffic: counts,
  });
  if (fetched === 'unchanged') return [];
  const before = counts.driftMissing.size;
  const document = await ingestDocument(tools, fetched.document, {
    source,
    counts,
    signal,
    onBatch: () => run.checkIn(),
  });
  run.absorb(document);
  if (counts.driftMissing.size === before)
    await saveFetched(pool, source.name, name, fetched.marks, fetched.document.fetchedAt);
  return document.followUps;
}

class Queue {
  readonly #waiting: FetchRequest[];
  readonly #known: Set<string>;
  readonly #first: ReadonlySet<FetchRequest>;

  constructor(first: readonly FetchRequest[]) {
    this.#waiting = [...first];
    this.#first = new Set(first);
    this.#known = new Set(first.map(documentName));
  }

  next(): FetchRequest | undefined {
    return this.#waiting.shift();
  }

  add(request: FetchRequest): void {
    const name = documentName(request);
    if (this.#known.has(name) || this.#known.size >= MOST_WAITING) return;
    this.#known.add(name);
    this.#waiting.push(request);
  }

  isFollowUp(request: FetchRequest): boolean {
    return !this.#first.has(request);
  }
}
