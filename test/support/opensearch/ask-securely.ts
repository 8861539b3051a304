import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';

/** Somebody whom a server knows by a name and a password, and who knows the server by an authority. */
export interface SecureCaller {
  readonly user: string;
  readonly password: string;
  /** Certificate (PEM) of the authority. */
  readonly ca: string;
}

/** An answer, whatever its status. */
export interface SecureAnswer {
  readonly status: number;
  /** Of JSON; text where it is none. */
  readonly body: unknown;
}

const ANSWER_WITHIN_MS = 30_000;

/** Asks over TLS as somebody; rejects where no answer comes. */
export async function askSecurely(
  { user, password, ca }: SecureCaller,
  method: string,
  address: string,
  body?: unknown,
): Promise<SecureAnswer> {
  const request = https.request(address, {
    method,
    ca,
    auth: `${user}:${password}`,
    agent: false,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
  });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const said = await text(response);
  return { status: response.statusCode ?? 0, body: parsed(said) };
}

function parsed(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return said;
  }
}
