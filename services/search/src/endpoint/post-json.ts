import { type Endpoint, EndpointFailure } from './endpoint.ts';

const REFUSALS = new Set([400, 413, 422]);

export interface AnswerLimits {
  readonly bytes: number;
  readonly signal: AbortSignal;
}

/** Returns the answer as text. Throws EndpointFailure for any other outcome. */
export async function postJson(
  endpoint: Endpoint,
  path: string,
  body: unknown,
  { bytes, signal }: AnswerLimits,
): Promise<string> {
  const response = await post(endpoint, path, body, signal);
  if (!response.ok) {
    await response.body?.cancel();
    throw new EndpointFailure(`it answered with status ${response.status}`, {
      isRefusal: REFUSALS.has(response.status),
    });
  }
  return await readBounded(response, bytes);
}

async function post(
  { url, apiKey: key }: Endpoint,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(`${url.replace(/(?<!\/)\/+$/, '')}${path}`, {
      method: 'POST',
      redirect: 'error',
      signal,
      headers: { 'content-type': 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
    });
  } catch {
    throw new EndpointFailure(signal.aborted ? 'it took too long' : 'it cannot be reached');
  }
}

async function readBounded(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > most) throw new EndpointFailure('its answer is too large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof EndpointFailure ? error : new EndpointFailure('its answer broke off or took too long');
  }
  return Buffer.concat(chunks).toString('utf8');
}
