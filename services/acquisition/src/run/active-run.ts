import { startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { Source } from '../connector/source.ts';
import { beginRun, endRun, failLostRuns, type NewRun, noteProgress, type RunTrigger } from '../db/source-run.ts';
import { readState, recordSourceRead } from '../db/source-state.ts';
import type { IngestedDocument, IngestTools } from '../ingest/ingest-document.ts';
import { RunCounts } from '../ingest/run-counts.ts';
import { reportReading } from './register-source.ts';

export class RunStopped extends Error {
  override readonly name = 'RunStopped';
}

const NOTE_EVERY_MS = 1_000;
const HEARTBEAT_MS = 10_000;
/** After this time without a heartbeat, the process of a run has ended. */
export const SILENT_RUN_MS = 60_000;

export class ActiveRun {
  readonly id: bigint;
  readonly counts = new RunCounts();
  readonly signal: AbortSignal;
  readonly #tools: IngestTools;
  readonly #source: Source;
  readonly #fields = new Set<string>();
  readonly #startedAt: Date;
  readonly #isWhole: boolean;
  #knownFields: readonly string[] = [];
  #watermark: string | undefined;
  #notedAt = performance.now();

  private constructor(id: bigint, tools: IngestTools, source: Source, trigger: RunTrigger, signal: AbortSignal) {
    this.id = id;
    // A file is the whole source only if the source is never fetched.
    this.#isWhole = trigger !== 'file' || source.requests === undefined;
    this.#tools = tools;
    this.#source = source;
    this.signal = signal;
    this.#startedAt = tools.clock.now();
  }

  static async begin(tools: IngestTools, source: Source, run: Omit<NewRun, 'source'>, signal: AbortSignal) {
    await failLostRuns(tools.pool, SILENT_RUN_MS);
    const id = await beginRun(tools.pool, { ...run, source: source.name });
    return new ActiveRun(id, tools, source, run.trigger, signal);
  }

  async perform(work: () => Promise<void>): Promise<void> {
    await using _heartbeat = startPeriodicTask({
      name: 'noting that a run goes on',
      everyMs: HEARTBEAT_MS,
      run: () => noteProgress(this.#tools.pool, this.id, this.counts.toRow()),
      logger: this.#tools.logger,
    });
    try {
      this.#knownFields = (await readState(this.#tools.pool, this.#source.name)).knownFields;
      await work();
      await this.#finish();
    } catch (error) {
      await this.#breakOff(error as Error);
    }
  }

  /** Runs after every batch. Throws RunStopped if the source was disabled. */
  async checkIn(): Promise<void> {
    if (performance.now() - this.#notedAt < NOTE_EVERY_MS) return;
    this.#notedAt = performance.now();
    await noteProgress(this.#tools.pool, this.id, this.counts.toRow());
    const { enabled, reason } = await readState(this.#tools.pool, this.#source.name);
    if (enabled === false) throw new RunStopped(`the source was disabled: ${reason}`);
  }

  absorb(document: IngestedDocument): void {
    for (const field of document.fields) this.#fields.add(field);
    if (document.newest !== undefined) this.#watermark = document.newest;
  }

  async #finish(): Promise<void> {
    const { pool, logger } = this.#tools;
    const missing = [...this.counts.driftMissing];
    if (this.#knownFields.length > 0)
      for (const field of this.#fields)
        if (!this.#knownFields.includes(field) && this.counts.driftNew.size < 50) this.counts.driftNew.add(field);
    await recordSourceRead(pool, this.#source.name, {
      at: this.#startedAt,
      isWhole: this.#isWhole,
      watermark: missing.length === 0 ? this.#watermark : undefined,
      missing,
      fields: [...this.#fields].slice(0, 500),
    });
    await endRun(pool, this.id, missing.length === 0 ? 'done' : 'drift', '', this.counts.toRow());
    const about = { source: this.#source.name, run_id: this.id, ...this.#summary() };
    if (missing.length === 0 && this.#isWhole) await this.#report();
    if (missing.length === 0) logger.info(about, 'source read');
    else logger.warn({ ...about, missing, new_fields: [...this.counts.driftNew] }, 'schema drift: fields are missing');
  }

  /** A lost report does not fail the run. The next run reports again. */
  async #report(): Promise<void> {
    await reportReading(this.#tools, this.#source, this.#startedAt).catch((error: unknown) =>
      this.#tools.logger.warn({ err: error, source: this.#source.name }, 'the record was not told of a reading'),
    );
  }

  async #breakOff(error: Error): Promise<void> {
    const { pool, logger } = this.#tools;
    const stopped = error instanceof RunStopped;
    await endRun(pool, this.id, stopped ? 'stopped' : 'failed', error.message.slice(0, 500), this.counts.toRow());
    const about = { source: this.#source.name, run_id: this.id, ...this.#summary() };
    if (stopped) logger.info({ ...about, reason: error.message }, 'run stopped');
    else logger.warn({ ...about, err: error }, 'run broke off');
  }

  #summary() {
    const { records, created, seen, amended, refused } = this.counts;
    return { records, created, seen, amended, refused };
  }
}
