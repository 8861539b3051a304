import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Pool } from '@ces/chassis/postgres/pool';
import { applyChanges } from '../loading/apply-changes.ts';
import { readMark } from '../loading/index-version.ts';
import { readNewVectors } from '../loading/read-vectors.ts';
import type { MemoryIndex } from '../memory-index.ts';
import { type FrameReader, readFrames, writeFrames } from './frames.ts';
import { copyOf, FORMAT, readSaved, type SavedHead } from './saved-index.ts';

export interface IndexFileOptions {
  readonly pool: Pool;
  readonly directory: string;
  readonly mostBytes: number;
  readonly model: string | undefined;
  /** Called when the file was of no use and was deleted, or when it was not written. */
  readonly onFailure: (error: unknown) => void;
}

/** Keeps the memory index in a file, so that the next process reads from Postgres only changes. */
export interface IndexFile {
  /**
   * Returns the index of the file with all changes since, or undefined. Rejects if the database
   * does not answer.
   */
  read(): Promise<MemoryIndex | undefined>;
  /** Writes the index if the file is missing or much has changed since. Never rejects. */
  keep(index: MemoryIndex): Promise<void>;
}

/** What the file has of an index. */
interface Written {
  readonly version: bigint;
  readonly changes: number;
}

/** The file is of another format, database, history, model or memory, or too old. */
class StaleFile extends Error {
  override readonly name = 'StaleFile';
}

/** The file is written again when this share of the index changed, but never for FEW. */
const CHANGED_SHARE = 0.03;
const FEW = 1_000;
/** Half of what the database notes; a file from before that is useless. */
const VERSIONS = 10_000n;
/** Writing rests this many times its duration, and this many milliseconds after a failure. */
const REST = 9;
const FAILED_REST_MS = 60_000;
/** If a larger share has changed, loading from Postgres is not slower. */
const CAUGHT_UP_SHARE = 0.5;

export function createIndexFile(options: IndexFileOptions): IndexFile {
  const { pool, directory, onFailure } = options;
  const file = path.join(directory, 'memory-index');
  const written = new WeakMap<MemoryIndex, Written>();
  let restsUntil = Number.NEGATIVE_INFINITY;
  const discard = async (error: unknown): Promise<undefined> => {
    if (!isMissing(error)) onFailure(error);
    await rm(file, { force: true }).catch(onFailure);
  };
  const readPart = <T>(read: (from: FrameReader) => Promise<T>) =>
    readFrames(file, read).catch(async (error: unknown) => await discard(error));
  return {
    async read() {
      const head = await readPart((from) => from.value<SavedHead>());
      if (!head) return undefined;
      const reason = await whyStale(head, options);
      if (reason) return await discard(new StaleFile(reason));
      const index = await readPart(readSaved);
      if (!index) return undefined;
      written.set(index, writtenOf(index));
      await index.observations.orderAll();
      if ((await applyChanges(pool, index)) === undefined)
        return await discard(new StaleFile('it is of another server, or too much has changed since'));
      await readNewVectors(pool, index);
      return index;
    },
    async keep(index) {
      if (performance.now() < restsUntil || !hasChangedMuch(index, written.get(index))) return;
      const startedAt = performance.now();
      try {
        const { version } = index;
        const { mark } = await readMark(pool, version);
        /* A version with very many changes is not noted and has no mark. The next one has. */
        if (mark === undefined || index.version !== version) return;
        const now = writtenOf(index);
        const write = copyOf(index, { mark, mostBytes: options.mostBytes });
        await mkdir(directory, { recursive: true });
        await writeFrames(file, write);
        written.set(index, now);
        restsUntil = performance.now() + (performance.now() - startedAt) * REST;
      } catch (error) {
        onFailure(error);
        restsUntil = performance.now() + FAILED_REST_MS;
      }
    },
  };
}

/** Rejects only if the database does not answer, which says nothing about the file. */
async function whyStale(head: SavedHead, { pool, mostBytes, model }: IndexFileOptions): Promise<string | undefined> {
  if (head.format !== FORMAT) return 'it has another format';
  if (head.vectors?.model !== model) return 'it has vectors of another model';
  if (head.leftOut > 0 && head.mostBytes !== mostBytes) return 'months may fit that it left out';
  const { mark, changes } = await readMark(pool, head.version);
  if (mark !== head.mark) return 'it is of another database, of another history, or too old';
  return changes > CAUGHT_UP_SHARE * head.documents + FEW ? 'too much has changed since' : undefined;
}

/** Counts documents and vectors that were added or removed. */
function changesOf({ observations, companies, vectors }: MemoryIndex): number {
  return [observations, companies].reduce((sum, { size, dead }) => sum + size + dead, vectors?.written ?? 0);
}

function writtenOf(index: MemoryIndex): Written {
  return { version: index.version, changes: changesOf(index) };
}

function hasChangedMuch(index: MemoryIndex, written: Written | undefined): boolean {
  if (!written) return true;
  const few = Math.max(FEW, (index.observations.size + index.companies.size) * CHANGED_SHARE);
  return changesOf(index) - written.changes > few || index.version - written.version > VERSIONS;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
