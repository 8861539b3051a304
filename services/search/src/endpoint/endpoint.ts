import { ConfigurationError } from '@ces/chassis/service/settings';

/** An OpenAI-compatible endpoint. */
export interface Endpoint {
  /** Up to and including `/v1`. */
  readonly url: string;
  readonly model: string;
  /** Empty: none is sent. */
  readonly apiKey: string;
}

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

/** Why an outside endpoint gave nothing of use; the reason is a sentence of ours, never a word of its answer. */
export class EndpointFailure extends Error {
  override readonly name = 'EndpointFailure';
}
