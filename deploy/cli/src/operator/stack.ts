import type { DescService } from '@bufbuild/protobuf';
import { createRpcClient } from '@ces/chassis/rpc/client';
import type { Client } from '@connectrpc/connect';
import { addressIn, openLocalStack } from '../local-stack.ts';
import { Refusal } from '../refusal.ts';
import { type Config, settings } from './config.ts';

export const SERVICES = ['ledger', 'operations', 'search', 'lookup', 'acquisition'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Found in the environment or a local stack's files. */
export interface Stack {
  /** `timeoutMs` bounds a call; default 30 s. */
  client<S extends DescService>(name: ServiceName, service: S, timeoutMs?: number): Client<S>;
  addressOf(name: ServiceName | 'gateway'): string;
  credentialOf(name: string): string;
  natsUrl(): string | undefined;
}

const TIMEOUT_MS = 30_000;

/** `reason` is for audit rows. */
export function findStack(config: Config, reason = ''): Stack {
  const local = openLocalStack(config.dataDirectory);

  function addressOf(name: ServiceName | 'gateway'): string {
    const ready = local.ready();
    const found = name === 'gateway' ? ready?.base_url : ready?.rpc?.[name];
    return addressIn(local, config[`${name}Url`], found, settings[`${name}Url`].name);
  }

  return {
    addressOf,
    client(name, service, timeoutMs = TIMEOUT_MS) {
      const url = addressOf(name);
      const callerToken = config.rpcToken ?? local.adminToken();
      if (!callerToken) throw new Refusal(`No operator's token was found in ${local.directory}: set CES_RPC_TOKEN.`);
      return createRpcClient(service, { url, callerToken, reason, tls: config, timeoutMs });
    },
    credentialOf: (name) => local.credentialOf(name),
    natsUrl: () => config.natsUrl ?? local.ready()?.nats_url,
  };
}
