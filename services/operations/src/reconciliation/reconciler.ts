import { setTimeout as pause } from 'node:timers/promises';
import type { Lead } from '@ces/chassis/postgres/lead';
import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import type { Leases } from '@ces/chassis/postgres/lease';
import type { Pool } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import type { Logger } from '@ces/chassis/telemetry/log';
import { readNow } from '../db/now.ts';
import {
  closeComparison,
  findNewest,
  findStretchStart,
  listOpen,
  type Progress,
  readProgress,
  saveOpenComparison,
  saveProgress,
} from '../db/reconciliation-progress.ts';
import { findDifferences, isOpen, type OperationPair } from './compare.ts';
import { type PairSources, readPair, readPairs } from './pairs.ts';

const A_PASS = 20_000;
/** The ledger may know many numbers that operations does not. */
const MOST_FOR_ONE = 2;
const NEW_A_PASS = 100_000;
const OPEN_A_PASS = 5_000;
/** A difference that lasts less belongs to a call in flight. */
const SETTLES_WITHIN_MS = 1_500;
/** Difference between the clocks that decide on deletion. */
const FORGETTING_MS = 86_400_000;
const MOST_LOGGED = 20;

export interface ReconcilerOptions {
  readonly pool: Pool;
  readonly sources: PairSources;
  readonly maxHoldMs: number;
  readonly keptMs: number;
  readonly logger: Logger;
  readonly aPass?: number;
}

/**
 * Each pass covers all new operations and `aPass` earlier ones, backwards and round again. The
 * database stores the progress for the next process (promise R5).
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #aPass: number;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#aPass = options.aPass ?? A_PASS;
  }

  /** `signal` stops between two pages; the next pass then repeats this one. */
  async pass(signal: AbortSignal): Promise<void> {
    const { pool } = this.#options;
    const open = await listOpen(pool, OPEN_A_PASS);
    const candidates = new Set(open.map(({ operationId }) => operationId));
    const start = (await readProgress(pool)) ?? (await this.#beginning());
    const differencesOf = await this.#judging();
    const note = (pair: OperationPair) => {
      if (isOpen(pair) || differencesOf(pair).length > 0) candidates.add(pair.operationId);
    };
    const newest = await this.#compareNew(start.newest, note, signal);
    const progress = await this.#compareBack({ ...start, newest }, note, signal);
    signal.throwIfAborted();
    if (candidates.size > 0) await pause(SETTLES_WITHIN_MS, undefined, { signal });
    const known = new Set(open.filter(differs).map(({ operationId }) => operationId));
    await this.#judge(candidates, { known, differencesOf }, signal);
    await saveProgress(pool, progress);
  }

  async #judging(): Promise<DifferencesOf> {
    const { pool, maxHoldMs, keptMs } = this.#options;
    const now = (await readNow(pool)).getTime();
    const [oldest, forgottenBefore] = [new Date(now - maxHoldMs), new Date(now - keptMs + FORGETTING_MS)];
    return (pair) => findDifferences(pair, oldest, forgottenBefore);
  }

  async #beginning(): Promise<Progress> {
    const newest = await findNewest(this.#options.pool);
    return { newest, backTo: newest + 1n };
  }

  async #compareNew(after: bigint, note: Note, signal: AbortSignal): Promise<bigint> {
    let [newest, compared] = [after, 0];
    for await (const pair of readPairs(this.#options.sources, after)) {
      signal.throwIfAborted();
      note(pair);
      newest = pair.operationId;
      compared += 1;
      if (compared === NEW_A_PASS) break;
    }
    return newest;
  }

  /** After the oldest it begins again at the newest. */
  async #compareBack({ newest, backTo, stretch }: Progress, note: Note, signal: AbortSignal): Promise<Progress> {
    const from = stretch?.from ?? (await findStretchStart(this.#options.pool, backTo, this.#aPass));
    const after = stretch?.comparedTo ?? (from === 0n ? 0n : from - 1n);
    let compared = 0;
    for await (const pair of readPairs(this.#options.sources, after)) {
      signal.throwIfAborted();
      const { operationId } = pair;
      if (operationId >= backTo) break;
      note(pair);
      compared += 1;
      if (compared === MOST_FOR_ONE * this.#aPass)
        return { newest, backTo, stretch: { from, comparedTo: operationId } };
    }
    return { newest, backTo: from === 0n ? newest + 1n : from };
  }

  async #judge(
    candidates: ReadonlySet<bigint>,
    { known, differencesOf }: { readonly known: ReadonlySet<bigint>; readonly differencesOf: DifferencesOf },
    signal: AbortSignal,
  ): Promise<void> {
    const { pool, logger } = this.#options;
    let logged = 0;
    for (const operationId of candidates) {
      signal.throwIfAborted();
      const { differences, isSettled } = await this.#compareAgain(operationId, differencesOf);
      if (differences.length > 0 || !isSettled) await saveOpenComparison(pool, { operationId, differences });
      else await closeComparison(pool, operationId);
      if (differences.length > 0 && !known.has(operationId) && logged < MOST_LOGGED) {
        logged += 1;
        logger.error({ operation_id: operationId, differences }, 'operations and ledger differ');
      }
    }
  }

  /** Affects only its own operation and counts as a difference. */
  async #compareAgain(
    operationId: bigint,
    differencesOf: DifferencesOf,
  ): Promise<{ differences: string[]; isSettled: boolean }> {
    try {
      const pair = await readPair(this.#options.sources, operationId);
      return { differences: differencesOf(pair), isSettled: !isOpen(pair) };
    } catch (error) {
      if (isTransient(error)) throw error;
      return { differences: [`it could not be compared: ${error}`], isSettled: false };
    }
  }
}

type DifferencesOf = (pair: OperationPair) => string[];

type Note = (pair: OperationPair) => void;

function differs({ differences }: { readonly differences: readonly string[] }): boolean {
  return differences.length > 0;
}

/** Runs in the leading process. Concurrent passes compare and write the same. */
export function startReconciler(options: ReconcilerOptions, leases: Leases, everyMs: number): AsyncDisposable {
  const reconciler = new Reconciler(options);
  const { logger } = options;
  const run = ({ signal }: Lead) => reconciler.pass(signal);
  return startLeaderTask(leases, { name: 'reconciliation', lease: 'reconciliation', everyMs, run, logger });
}
