import { rpcTlsSettings } from '@ces/chassis/rpc/tls';
import { type SettingValues, text, url } from '@ces/chassis/service/settings';
import { optional, optionalAddress, subscriberSettings } from './subscriber-config.ts';

/** Settings of `ces` for operators. The files of a local stack supply what is absent. */
export const settings = {
  ...subscriberSettings,
  ledgerUrl: optionalAddress('CES_LEDGER_URL', 'address of the ledger'),
  operationsUrl: optionalAddress('CES_OPERATIONS_URL', 'address of operations'),
  searchUrl: optionalAddress('CES_SEARCH_URL', 'address of search'),
  lookupUrl: optionalAddress('CES_LOOKUP_URL', 'address of lookup'),
  acquisitionUrl: optionalAddress('CES_ACQUISITION_URL', 'address of acquisition'),
  natsUrl: optional(url('NATS_URL', 'address of the NATS server', { schemes: ['nats', 'tls'] })),
  ...rpcTlsSettings,
  rpcToken: optional(text('CES_RPC_TOKEN', 'token of this process towards other services', { secret: true })),
  reason: optional(text('CES_REASON', 'why ces changes what it changes, where --reason does not say it; kept')),
};

export type Config = SettingValues<typeof settings>;
