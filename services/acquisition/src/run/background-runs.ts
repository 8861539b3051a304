import { violatedConstraint } from '@ces/chassis/postgres/pool';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Source } from '../connector/source.ts';
import type { RunTrigger } from '../db/source-run.ts';
import { ActiveRun } from './active-run.ts';
import { type FetchTools, fetchSource } from './fetch-source.ts';
import { Pending } from './pending.ts';

export class BackgroundRuns implements AsyncDisposable {
  readonly #tools: FetchTools;
  readonly #closing = new AbortController();
  readonly #running = new Pending();

  constructor(tools: FetchTools) {
    this.#tools = tools;
  }

  /** Throws INVALID_REQUEST during another run of the source. */
  async begin(source: Source, trigger: Extract<RunTrigger, 'schedule' | 'manual'>): Promise<bigint> {
    const run = await this.#beginSerialized(source, trigger);
    const running = run
      .perform(() => fetchSource(this.#tools, source, run))
      .catch((error: unknown) => {
        // Without a heartbeat the run fails a minute later.
        this.#tools.logger.error(
          { err: error, source: source.name, run_id: run.id },
          'the end of a run was not stored',
        );
      });
    this.#running.add(running);
    return run.id;
  }

  get count(): number {
    return this.#running.count;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('the service is stopping'));
    await this.#running[Symbol.asyncDispose]();
  }

  async #beginSerialized(source: Source, trigger: RunTrigger): Promise<ActiveRun> {
    try {
      return await ActiveRun.begin(this.#tools, source, { trigger }, this.#closing.signal);
    } catch (error) {
      if (violatedConstraint(error) !== 'source_run_alone') throw error;
      throw fail(FailureCode.INVALID_REQUEST, `A run of ${source.name} is under way: wait for its end.`);
    }
  }
}
