import { ConfigurationError } from '@ces/chassis/service/settings';

export interface Endpoint {
  /** Includes the trailing `/v1`. */
  readonly url: string;
  readonly model: string;
  /** If it is empty, requests carry no Authorization header. */
  readonly apiKey: string;
}

/** Throws ConfigurationError for a setting that begins with `prefix`. */
export function endpointOf(prefix: string, endpoint: Endpoint): Endpoint {
  const { username, password } = new URL(endpoint.url);
  const mistakes = [
    ...(username || password ? [`${prefix}_URL must not hold credentials: use ${prefix}_KEY.`] : []),
    ...(endpoint.model === '' ? [`${prefix}_MODEL is not set: ${prefix}_URL needs it.`] : []),
  ];
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return endpoint;
}

/** The message is a sentence of ours and never quotes the endpoint's answer. */
export class EndpointFailure extends Error {
  override readonly name = 'EndpointFailure';
  /** The endpoint does not accept this input, so repeating the request does not help. */
  readonly isRefusal: boolean;
  constructor(message: string, { isRefusal = false }: { readonly isRefusal?: boolean } = {}) {
    super(message);
    this.isRefusal = isRefusal;
  }
}
