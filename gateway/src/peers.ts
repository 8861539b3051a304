import { createRpcClient } from '@ces/chassis/rpc/client';
import { outgoingTokensFor } from '@ces/chassis/rpc/outgoing-tokens';
import { CallLimitService } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { Config } from './config.ts';

export interface Peers {
  readonly ledger: Client<typeof LedgerService>;
  readonly callLimits: Client<typeof CallLimitService>;
  readonly operations: Client<typeof OperationsService>;
  readonly lookup: Client<typeof LookupService>;
}

/** After this time the cached answer about a credential applies. */
const LEDGER_TIMEOUT_MS = 3_000;
/** After this time the gateway applies its own limits. */
const LIMITS_TIMEOUT_MS = 2_000;
const LOOKUP_TIMEOUT_MS = 10_000;

export function createPeers(config: Config): Peers {
  const peer = (name: 'ledger' | 'operations' | 'lookup', timeoutMs: number) => ({
    url: config[`${name}Url`],
    callerToken: outgoingTokensFor(config, name),
    tls: config,
    timeoutMs,
  });
  return {
    ledger: createRpcClient(LedgerService, peer('ledger', LEDGER_TIMEOUT_MS)),
    callLimits: createRpcClient(CallLimitService, peer('ledger', LIMITS_TIMEOUT_MS)),
    operations: createRpcClient(OperationsService, peer('operations', config.callTimeoutMs)),
    lookup: createRpcClient(LookupService, peer('lookup', LOOKUP_TIMEOUT_MS)),
  };
}
