import type { IncomingHttpHeaders } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { ProtocolEra } from './call-tool.ts';

export interface Exchange {
  readonly headers: IncomingHttpHeaders;
  readonly json: unknown;
  readonly createServer: (era: ProtocolEra) => Server;
  readonly onerror: (error: Error) => void;
}

/** Stateless, in JSON. No abort signal: a client that disconnects does not cancel its operation. */
export async function exchange({ headers, json, createServer, onerror }: Exchange): Promise<Response> {
  const request = webRequest(headers);
  if (!(await isLegacyRequest(request, json))) {
    const handler = createMcpHandler(() => createServer('modern'), { legacy: 'reject', onerror });
    return handler.fetch(request, { parsedBody: json });
  }
  await using server = disposable(createServer('legacy'));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return await transport.handleRequest(request, { parsedBody: json });
}

/** Only headers that the SDK reads; answers are always JSON. */
function webRequest(headers: IncomingHttpHeaders): Request {
  const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] satisfies [string, string]] : [];
  });
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: [
      ['content-type', 'application/json'],
      ['accept', 'application/json, text/event-stream'],
      ...protocolHeaders,
    ],
  });
}

function disposable(server: Server): Server & AsyncDisposable {
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });
}
