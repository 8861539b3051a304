import type { IncomingMessage } from 'node:http';
import type { CesBody, CesFetch, CesHeaders } from '@ces/client';

/**
 * The global fetch and an import of `node:http` load slowly (test/results/command-line.md). Never
 * follows redirects.
 */
export const httpFetch: CesFetch = async (url, { method, headers, body, signal }) => {
  const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
  return await new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal });
    sent.on('error', reject);
    sent.once('response', (message) => {
      resolve({
        status: message.statusCode ?? 0,
        type: 'basic',
        headers: headersOf(message),
        body: bodyOf(message),
      });
    });
    sent.end(body);
  });
};

function headersOf({ headers }: IncomingMessage): CesHeaders {
  return {
    get(name) {
      const value = headers[name.toLowerCase()];
      return value === undefined ? null : [value].flat().join(', ');
    },
  };
}

function bodyOf(message: IncomingMessage): CesBody {
  const cancel = async () => {
    message.destroy();
  };
  return {
    cancel,
    getReader() {
      const chunks: AsyncIterator<Uint8Array, undefined> = message[Symbol.asyncIterator]();
      return {
        cancel,
        read: async () => {
          const { done = false, value } = await chunks.next();
          return { done, value };
        },
      };
    },
  };
}
