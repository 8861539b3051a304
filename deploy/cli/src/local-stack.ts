import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from './refusal.ts';

export interface LocalStack {
  readonly directory: string;
  /** undefined when no stack has run in this folder. */
  ready(): Ready | undefined;
  adminToken(): string | undefined;
  credentialOf(name: string): string;
}

interface Ready {
  readonly base_url?: string;
  readonly rpc?: Partial<Record<string, string>>;
  readonly credentials?: Partial<Record<string, string>>;
  readonly nats_url?: string;
}

export function openLocalStack(dataDirectory: string): LocalStack {
  const directory = path.resolve(dataDirectory);
  const ready = memoize(() => readJson<Ready>(path.join(directory, 'ready.json')));
  const secrets = memoize(() => readJson<{ admin_token?: string }>(path.join(directory, 'secrets.json')));
  return {
    directory,
    ready,
    adminToken: () => secrets()?.admin_token,
    credentialOf(name) {
      const credentials = ready()?.credentials ?? {};
      const bearer = credentials[name];
      if (bearer) return bearer;
      const known = Object.keys(credentials).join(', ');
      throw new Refusal(
        known
          ? `There is no credential ${name} in ${directory}/ready.json: choose one of ${known}.`
          : `There is no ready.json in ${directory}, so --as has no credential: start a stack or set CES_TOKEN.`,
      );
    },
  };
}

export function addressIn(local: LocalStack, set: string | undefined, found: string | undefined, setting: string) {
  const address = set ?? found;
  if (!address)
    throw new Refusal(`No stack was found in ${local.directory}: start one with npm start, or set ${setting}.`);
  return withoutSlash(address);
}

export function withoutSlash(address: string): string {
  return address.replace(/(?<!\/)\/+$/, '');
}

function readJson<T>(file: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Refusal(
      `${file} cannot be read (${(error as Error).message}): run ces as the user who started the stack.`,
    );
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Refusal(`${file} is not JSON: restart the stack to write the file again.`);
  }
}

function memoize<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}
