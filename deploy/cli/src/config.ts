import path from 'node:path';
import { flag, type Setting, type SettingValues, text, url } from '@ces/chassis/service/settings';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

/** Settings of `ces` for subscribers. The files of a local stack supply what is absent. */
export const subscriberSettings = {
  dataDirectory: text('CES_DATA_DIR', 'folder of a local stack, which contains ready.json', {
    default: path.join(REPOSITORY, '.local'),
  }),
  gatewayUrl: optionalAddress('CES_GATEWAY_URL', 'address of the public interface'),
  token: optional(text('CES_TOKEN', 'API key of the subscriber that ces acts for', { secret: true })),
  debug: flag('CES_DEBUG', 'whether ces prints the stack trace of an unexpected error'),
};

export type SubscriberConfig = SettingValues<typeof subscriberSettings>;

export function optionalAddress(name: string, description: string): Setting<string | undefined> {
  return optional(url(name, description, { schemes: ['http', 'https'] }));
}

export function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return { ...setting, default: '', parse: (value) => (value === '' ? undefined : setting.parse(value)) };
}
