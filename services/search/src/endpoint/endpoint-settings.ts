import { ConfigurationError } from '@ces/chassis/service/settings';
import type { Endpoint } from './post-json.ts';

/** The endpoint of settings that begin with `prefix`; a ConfigurationError when they do not fit. */
export function endpointOf(prefix: string, endpoint: Endpoint): Endpoint {
  const { username, password } = new URL(endpoint.url);
  const mistakes = [
    ...(username || password ? [`${prefix}_URL must not hold credentials: use ${prefix}_KEY.`] : []),
    ...(endpoint.model === '' ? [`${prefix}_MODEL is not set: ${prefix}_URL needs it.`] : []),
  ];
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return endpoint;
}
