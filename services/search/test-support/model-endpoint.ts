import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ModelCall {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { role: string; content: string }[];
    readonly input?: readonly string[];
    readonly query?: string;
    readonly documents?: readonly string[];
  };
}

/** Answers like an OpenAI-compatible endpoint, over real HTTP, as a test scripts it. */
export interface ModelEndpoint extends AsyncDisposable {
  readonly url: string;
  readonly calls: ModelCall[];
  answer(how: (response: ServerResponse, call: ModelCall) => void): void;
}

export async function startModelEndpoint(): Promise<ModelEndpoint> {
  const calls: ModelCall[] = [];
  let respond: (response: ServerResponse, call: ModelCall) => void = (response) => response.writeHead(404).end();
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await bodyOf(request));
    const call = { path: request.url ?? '', authorization: request.headers.authorization, body };
    calls.push(call);
    respond(response, call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    answer(how) {
      respond = how;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function saying(content: unknown): (response: ServerResponse) => void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: text } }] }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
