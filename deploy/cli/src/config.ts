import path from 'node:path';
import { rpcTlsSettings } from '@ces/chassis/rpc/tls';
import { flag, type Setting, type SettingValues, text, url } from '@ces/chassis/service/settings';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

/** What `ces` itself reads; everything that is absent is looked for in the files of a local stack. */
export const settings = {
  dataDirectory: text('CES_DATA_DIR', 'folder of a local stack, with its ready.json', {
    default: path.join(REPOSITORY, '.local'),
  }),
  gatewayUrl: address('CES_GATEWAY_URL', 'address of the public interface'),
  ledgerUrl: address('CES_LEDGER_URL', 'address of the ledger'),
  operationsUrl: address('CES_OPERATIONS_URL', 'address of operations'),
  searchUrl: address('CES_SEARCH_URL', 'address of search'),
  lookupUrl: address('CES_LOOKUP_URL', 'address of lookup'),
  acquisitionUrl: address('CES_ACQUISITION_URL', 'address of acquisition'),
  natsUrl: optional(url('NATS_URL', 'address of the NATS server', { schemes: ['nats', 'tls'] })),
  ...rpcTlsSettings,
  rpcToken: optional(text('CES_RPC_TOKEN', 'token of this process towards other services', { secret: true })),
  reason: optional(text('CES_REASON', 'why ces changes what it changes, where --reason does not say it; kept')),
  token: optional(text('CES_TOKEN', 'bearer of the subscriber as whom ces searches', { secret: true })),
  debug: flag('CES_DEBUG', 'whether ces prints where an error it does not know came from'),
};

export type Config = SettingValues<typeof settings>;

function address(name: string, description: string): Setting<string | undefined> {
  return optional(url(name, description, { schemes: ['http', 'https'] }));
}

function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return { ...setting, default: '', parse: (value) => (value === '' ? undefined : setting.parse(value)) };
}
