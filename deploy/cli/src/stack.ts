import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DescService } from '@bufbuild/protobuf';
import { createRpcClient } from '@ces/chassis/rpc/client';
import type { Client } from '@connectrpc/connect';
import { type Config, settings } from './config.ts';
import { Refusal } from './refusal.ts';

export const SERVICES = ['ledger', 'operations', 'search', 'lookup', 'acquisition'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A running stack, found in the environment or in the files of a local one; read when it is asked for. */
export interface Stack {
  /** A client of a service, as the operator whose token this is; `timeoutMs` bounds a call, default 30 s. */
  client<S extends DescService>(name: ServiceName, service: S, timeoutMs?: number): Client<S>;
  /** Base address of a service or of the gateway. */
  addressOf(name: ServiceName | 'gateway'): string;
  /** Bearer of one of the three credentials of a local stack. */
  credentialOf(name: string): string;
  /** Address of the broker; undefined when nothing names it. */
  natsUrl(): string | undefined;
}

/** The part of `ready.json` that is used here; `npm start` writes it. */
interface Ready {
  readonly base_url?: string;
  readonly rpc?: Partial<Record<string, string>>;
  readonly credentials?: Partial<Record<string, string>>;
  readonly nats_url?: string;
}

const TIMEOUT_MS = 30_000;

/** `reason` goes with every call, for audit rows; '' for what changes nothing. */
export function findStack(config: Config, reason = ''): Stack {
  const directory = path.resolve(config.dataDirectory);
  const ready = remembered(() => readJson<Ready>(path.join(directory, 'ready.json')));
  const adminToken = remembered(() => config.rpcToken ?? readAdminToken(directory));

  function addressOf(name: ServiceName | 'gateway'): string {
    const found = name === 'gateway' ? ready()?.base_url : ready()?.rpc?.[name];
    const address = config[`${name}Url`] ?? found;
    if (!address)
      throw new Refusal(
        `No stack was found in ${directory}: start one with npm start, or set ${settings[`${name}Url`].name}.`,
      );
    return address.replace(/(?<!\/)\/+$/, '');
  }

  return {
    addressOf,
    client(name, service, timeoutMs = TIMEOUT_MS) {
      const url = addressOf(name);
      const callerToken = adminToken();
      if (!callerToken) throw new Refusal(`No operator's token was found in ${directory}: set CES_RPC_TOKEN.`);
      return createRpcClient(service, { url, callerToken, reason, tls: config, timeoutMs });
    },
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
    natsUrl: () => config.natsUrl ?? ready()?.nats_url,
  };
}

function readAdminToken(directory: string): string | undefined {
  return readJson<{ admin_token?: string }>(path.join(directory, 'secrets.json'))?.admin_token;
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
    throw new Refusal(`${file} is not JSON: start the stack again, it writes the file anew.`);
  }
}

function remembered<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}
