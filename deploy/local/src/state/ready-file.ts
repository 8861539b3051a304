import { readFile, rename, rm } from 'node:fs/promises';
import { type DataDirectory, writePrivately } from './data-directory.ts';

export const CREDENTIALS = ['builder', 'professional', 'sandbox'] as const;
export type Credentials = Readonly<Record<(typeof CREDENTIALS)[number], string>>;

/** What `ready.json` says: where a stack is and with which API keys it is used. The only copy of them. */
export interface Ready {
  readonly base_url: string;
  readonly mcp_url: string;
  readonly docs_url: string;
  /** RPC addresses by service. */
  readonly rpc: Readonly<Record<string, string>>;
  /** Addresses of the probes by service. */
  readonly admin: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  /** By service, as the role it runs with. */
  readonly databases: Readonly<Record<string, string>>;
  readonly nats_url: string;
  readonly pids: Readonly<Record<string, number>>;
  readonly version: string;
}

export function writeReady(data: DataDirectory, ready: Ready): Promise<void> {
  return writePrivately(data.readyFile, ready);
}

/** Credentials that an earlier start issued, and what to do with their file while this start is not ready. */
export interface EarlierReady {
  readonly credentials: Partial<Credentials>;
  /** The start failed: the file is put back. */
  restore(): Promise<void>;
  /** A new file has been written. */
  forget(): Promise<void>;
}

/** Sets the file of an earlier start aside, so that a process that waits for `ready.json` waits for this one. */
export async function setEarlierReadyAside(data: DataDirectory): Promise<EarlierReady> {
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
