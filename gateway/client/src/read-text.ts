import { CesError } from './error.ts';
import type { CesResponse } from './fetch.ts';
import type { CesRequest } from './request.ts';

/** Many times the longest answer of the interface. */
const MOST_MIB = 32;

/** Throws `unexpected_answer` beyond MOST_MIB. */
export async function readText(
  { method, path, requestKey }: CesRequest,
  { status, body }: CesResponse,
): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    if (!value) continue;
    bytes += value.byteLength;
    if (bytes > MOST_MIB * 2 ** 20) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  throw new CesError(
    'unexpected_answer',
    `The answer to ${method} ${path} is longer than ${MOST_MIB} MiB: check that baseUrl names the gateway, and what stands in between.`,
    { status, requestKey },
  );
}
