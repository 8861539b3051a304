import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../refusal.ts';

/** API keys that `ces login` stored, one an address. */
export interface Credentials {
  /** The address of the last login: used when nothing else names one. */
  readonly current?: string;
  readonly keys: Readonly<Record<string, string>>;
}

const NONE: Credentials = { keys: {} };
const OTHERS = 0o077;

/** Whether a header can carry it. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

export function credentialFile(directory: string): string {
  return path.join(directory, 'credentials.json');
}

/** Throws a Refusal for a file that others may read, or that `ces` did not write. */
export function readCredentials(directory: string | undefined): Credentials {
  if (directory === undefined) return NONE;
  const file = credentialFile(directory);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return NONE;
  if ((stats.mode & OTHERS) !== 0)
    throw new Refusal(`${file} holds API keys, and others may read it: run chmod 600 ${file}.`);
  return parseCredentials(readFileSync(file, 'utf8')) ?? refuseFile(file);
}

function parseCredentials(text: string): Credentials | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || !isObject(value.keys)) return undefined;
  const keys = Object.entries(value.keys).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const current = typeof value.current === 'string' ? { current: value.current } : {};
  return { ...current, keys: Object.fromEntries(keys) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuseFile(file: string): never {
  throw new Refusal(`${file} is not a file of ces login: delete it, then run npx ces login again.`);
}
