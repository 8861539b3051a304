import type { DescService } from '@bufbuild/protobuf';
import { createRpcClient } from '@ces/chassis/rpc/client';
import type { Client } from '@connectrpc/connect';
import { type Config, settings } from './config.ts';
import { addressIn, openLocalStack } from './local-stack.ts';
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

const TIMEOUT_MS = 30_000;

/** `reason` goes with every call, for audit rows; '' for what changes nothing. */
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
