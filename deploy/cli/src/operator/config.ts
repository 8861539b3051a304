import { rpcTlsSettings } from '@ces/chassis/rpc/tls';
import { type SettingValues, text, url } from '@ces/chassis/service/settings';
import { optional, optionalAddress, subscriberSettings } from '../config.ts';

export const settings = {
  ...subscriberSettings,
  ledgerUrl: optionalAddress('CES_LEDGER_URL', 'address of the ledger service'),
  operationsUrl: optionalAddress('CES_OPERATIONS_URL', 'address of the operations service'),
  searchUrl: optionalAddress('CES_SEARCH_URL', 'address of the search service'),
  lookupUrl: optionalAddress('CES_LOOKUP_URL', 'address of the lookup service'),
  acquisitionUrl: optionalAddress('CES_ACQUISITION_URL', 'address of the acquisition service'),
  natsUrl: optional(url('NATS_URL', 'address of the NATS server', { schemes: ['nats', 'tls'] })),
  ...rpcTlsSettings,
  rpcToken: optional(text('CES_RPC_TOKEN', 'operator token for calls to the services', { secret: true })),
  reason: optional(text('CES_REASON', 'reason for changes without --reason; the audit log stores it')),
};

export type Config = SettingValues<typeof settings>;
