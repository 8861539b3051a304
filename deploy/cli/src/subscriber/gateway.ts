import { readSettings } from '@ces/chassis/service/settings';
import { CesClient } from '@ces/client';
import { InvalidArgumentError } from 'commander';
import { type SubscriberConfig, subscriberSettings } from '../config.ts';
import { configDirectory } from '../credentials/config-directory.ts';
import { isKey, readCredentials } from '../credentials/credential-file.ts';
import { addressIn, openLocalStack, withoutSlash } from '../local-stack.ts';
import { Refusal } from '../refusal.ts';
import { httpFetch } from './http-fetch.ts';

export interface SubscriberOptions {
  readonly as?: string;
}

/** Three more attempts after 0.5, 1 and 2 seconds, since a person waits. */
const ATTEMPTS = 4;

export function openGateway(
  env: NodeJS.ProcessEnv,
  options: SubscriberOptions,
  say: (line: string) => void,
): CesClient {
  const config = readSettings(subscriberSettings, env);
  const baseUrl = gatewayAddressOf(env);
  return new CesClient({
    baseUrl,
    apiKey: keyFor(baseUrl, config, options, env),
    fetch: httpFetch,
    maxAttempts: ATTEMPTS,
    onAttempt({ waitMs, requestKey }) {
      if (waitMs === undefined) return;
      const how = requestKey === undefined ? '' : ' with the same key';
      say(`No answer. Retrying${how} in ${(waitMs / 1000).toFixed(1)} s.`);
    },
  });
}

/** `--as`, else CES_TOKEN, else `ces login`. */
function keyFor(
  address: string,
  { dataDirectory, token }: SubscriberConfig,
  { as }: SubscriberOptions,
  env: NodeJS.ProcessEnv,
): string {
  if (as) return openLocalStack(dataDirectory).credentialOf(as);
  const key = token ?? readCredentials(configDirectory(env)).keys[address];
  if (!key)
    throw new Refusal(
      `There is no API key for ${address}: run npx ces login, set CES_TOKEN, or add --as builder for a key of the local stack.`,
    );
  if (!isKey(key)) throw new Refusal('CES_TOKEN is not an API key: it must look like ces_live_….');
  return key;
}

export function gatewayAddressOf(env: NodeJS.ProcessEnv): string {
  const { dataDirectory, gatewayUrl } = readSettings(subscriberSettings, env);
  const local = openLocalStack(dataDirectory);
  const found = gatewayUrl === undefined ? (local.ready()?.base_url ?? currentOf(env)) : undefined;
  return addressIn(local, gatewayUrl, found, subscriberSettings.gatewayUrl.name);
}

function currentOf(env: NodeJS.ProcessEnv): string | undefined {
  return readCredentials(configDirectory(env)).current;
}

export function addressArgument(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new InvalidArgumentError('Write it as https://evidence.example.');
  return withoutSlash(text);
}
