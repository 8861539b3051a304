import { CesClient } from '@ces/client';
import { type SubscriberConfig, subscriberSettings } from '../config.ts';
import { addressIn, openLocalStack } from '../local-stack.ts';
import { Refusal } from '../refusal.ts';

export interface SubscriberOptions {
  readonly as?: string;
}

/** Three more attempts after 0.5, 1 and 2 seconds, since a person waits. */
const ATTEMPTS = 4;

export function openGateway(
  config: SubscriberConfig,
  options: SubscriberOptions,
  say: (line: string) => void,
): CesClient {
  const bearer = options.as ? openLocalStack(config.dataDirectory).credentialOf(options.as) : config.token;
  if (!bearer)
    throw new Refusal('There is no API key: set CES_TOKEN, or add --as builder for a key of the local stack.');
  if (!/^[\x21-\x7e]+$/.test(bearer)) throw new Refusal('CES_TOKEN is not an API key: it must look like ces_live_….');
  return new CesClient({
    baseUrl: gatewayAddress(config),
    apiKey: bearer,
    maxAttempts: ATTEMPTS,
    onAttempt({ waitMs, requestKey }) {
      if (waitMs === undefined) return;
      const how = requestKey === undefined ? '' : ' with the same key';
      say(`No answer. Retrying${how} in ${(waitMs / 1000).toFixed(1)} s.`);
    },
  });
}

/**
 * The gateway's address from the environment or the local stack's files; throws a Refusal when both
 * are absent.
 */
export function gatewayAddress({ dataDirectory, gatewayUrl }: SubscriberConfig): string {
  const local = openLocalStack(dataDirectory);
  const found = gatewayUrl === undefined ? local.ready()?.base_url : undefined;
  return addressIn(local, gatewayUrl, found, subscriberSettings.gatewayUrl.name);
}
