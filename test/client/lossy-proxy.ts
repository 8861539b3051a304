import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface LossyProxy extends AsyncDisposable {
  readonly url: string;
  /** Answers that were lost, as METHOD path. */
  readonly lost: readonly string[];
}

/**
 * An HTTP proxy that forwards every request and drops the first answer to each: the work is done,
 * and the caller does not know.
 */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const seen = new Set<string>();
  const lost: string[] = [];
  const server = http.createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: headersOf(headers),
      ...(body.length > 0 && { body }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const call = `${method} ${url} ${headers['idempotency-key']}`;
    if (!seen.has(call)) {
      seen.add(call);
      lost.push(`${method} ${url}`);
      // Every other one before its first byte, the others in the middle of their body.
      if (lost.length % 2 === 0) return response.destroy();
      response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-length': bytes.length + 1 });
      return response.write(bytes.subarray(0, 10), () => response.destroy());
    }
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Those that belong to the call and not to its connection. */
function headersOf(headers: http.IncomingHttpHeaders): Record<string, string> {
  const kept = ['accept', 'authorization', 'content-type', 'idempotency-key'];
  return Object.fromEntries(kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}
