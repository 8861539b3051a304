import type http2 from 'node:http2';
import { Readable } from 'node:stream';

/**
 * `fetch` over HTTP/2, as browsers have it; Node's `fetch` speaks HTTP/2 only over TLS. The caller
 * closes `session`.
 */
export function fetchOver(session: http2.ClientHttp2Session): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const stream = session.request(
      { ':method': request.method, ':path': pathname, ...Object.fromEntries(request.headers) },
      { signal: request.signal },
    );
    stream.end(Buffer.from(await request.arrayBuffer()));
    return await responseOf(stream);
  };
}

async function responseOf(stream: http2.ClientHttp2Stream): Promise<Response> {
  const head = await new Promise<http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader>((resolve, reject) => {
    stream.once('response', resolve);
    stream.once('error', reject);
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(head))
    if (!name.startsWith(':')) for (const one of [value ?? []].flat()) headers.append(name, one);
  return new Response(Readable.toWeb(stream) as ReadableStream, { status: head[':status'] ?? 0, headers });
}
