import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';

export interface SecureCaller {
  readonly user: string;
  readonly password: string;
  readonly ca: string;
}

export interface SecureAnswer {
  readonly status: number;
  readonly body: unknown;
}

const ANSWER_WITHIN_MS = 30_000;

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
