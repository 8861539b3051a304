import { fileURLToPath } from 'node:url';
import type { Closing } from '../src/connector/mapped.ts';
import type { Source } from '../src/connector/source.ts';
import type { ReadObservation } from '../src/ingest/read-record.ts';
import { type ReadFile, readFile } from './read-file.ts';

export interface ReadSource extends ReadFile {
  readonly observations: readonly ReadObservation[];
  readonly closings: readonly Closing[];
  readonly refused: readonly string[];
  readonly leftOut: readonly string[];
}

/**
 * Reads a document relative to the test: `readBeside(import.meta.url, 'documents/notices.csv',
 * source)`.
 */
export async function readBeside(test: string, path: string, source: Source): Promise<ReadSource> {
  return summarise(await readFile(source, fileURLToPath(new URL(path, test))));
}

export function summarise(read: ReadFile): ReadSource {
  return {
    ...read,
    observations: read.records.flatMap((record) => record.observations),
    closings: read.records.flatMap((record) => record.closings),
    refused: read.refusals.map(({ field, reason }) => `${field} ${reason}`),
    leftOut: read.records.flatMap((record) => record.leftOut).map(({ reason }) => reason),
  };
}

export function titled(read: ReadSource, title: string): ReadObservation {
  const found = read.observations.find((observation) => observation.title === title);
  if (!found) throw new Error(`no observation has the title ${title}`);
  return found;
}
