import { watchedFile } from '../../service/watched-file.ts';
import { ConfigurationError } from '../../settings.ts';
import type { Logger } from '../../telemetry/log.ts';
import { FetchedKeys } from './fetched-keys.ts';
import { type IssuerKeys, parseKeySet } from './key-set.ts';
import type { ServiceAccountSettings } from './settings.ts';

/** Throws ConfigurationError if the key file is invalid. */
export function issuerKeys(settings: ServiceAccountSettings, logger: Logger): IssuerKeys {
  if (settings.serviceAccountKeysUrl !== '') return new FetchedKeys(settings, logger);
  return keysOfFile(settings.serviceAccountKeysFile);
}

function keysOfFile(file: string): IssuerKeys {
  const read = watchedFile(file, parseKeySet);
  try {
    if (!read()) throw new Error('it is not there');
  } catch (error) {
    throw new ConfigurationError([`${file} (CES_RPC_SERVICE_ACCOUNT_KEYS_FILE): ${(error as Error).message}.`]);
  }
  return {
    get current() {
      return read();
    },
    renew: async () => read(),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
