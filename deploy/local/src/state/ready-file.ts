import { readFile, rename, rm } from 'node:fs/promises';
import { type DataDirectory, writePrivately } from './data-directory.ts';

export const CREDENTIALS = ['builder', 'professional', 'sandbox'] as const;
export type Credentials = Readonly<Record<(typeof CREDENTIALS)[number], string>>;

export interface Ready {
  readonly base_url: string;
  readonly mcp_url: string;
  readonly docs_url: string;
  readonly rpc: Readonly<Record<string, string>>;
  readonly admin: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  /** Whether its companies are fictional. */
  readonly sample: boolean;
  readonly databases: Readonly<Record<string, string>>;
  readonly nats_url: string;
  readonly pids: Readonly<Record<string, number>>;
  readonly version: string;
}

export function writeReady(data: DataDirectory, ready: Ready): Promise<void> {
  return writePrivately(data.readyFile, ready);
}

export interface EarlierReady {
  readonly credentials: Partial<Credentials>;
  restore(): Promise<void>;
  forget(): Promise<void>;
}

/** Renames an earlier start's file, so that a process that waits for it waits for this start. */
export async function moveEarlierReadyAside(data: DataDirectory): Promise<EarlierReady> {
  await rename(data.readyFile, data.earlierReadyFile).catch(ignoreMissing);
  const text = await readFile(data.earlierReadyFile, 'utf8').catch(() => '{}');
  return {
    credentials: parse(text).credentials ?? {},
    restore: () => rename(data.earlierReadyFile, data.readyFile).catch(ignoreMissing),
    forget: () => rm(data.earlierReadyFile, { force: true }),
  };
}

function parse(text: string): Partial<Ready> {
  try {
    return JSON.parse(text) as Partial<Ready>;
  } catch {
    return {};
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
