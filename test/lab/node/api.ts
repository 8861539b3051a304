import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Api {
  get(path: string): Promise<Answer>;
  /**
   * Yields changes until `signal` aborts or the server ends the watch, as it does after some
   * minutes.
   */
  watch(path: string, signal: AbortSignal): AsyncIterable<WatchEvent>;
}

interface WatchEvent {
  readonly type: string;
  readonly object: unknown;
}

export function createApi(url: string, token: string, certificate: string): Api {
  const agent = new https.Agent({ ca: certificate, keepAlive: true });
  const headers = { authorization: `Bearer ${token}` };
  return {
    async get(path) {
      const request = https.get(new URL(path, url), { agent, headers });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      return { status: response.statusCode ?? 0, body: parse(text) };
    },
    async *watch(path, signal) {
      const request = https.get(new URL(path, url), { ca: certificate, headers, signal });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
      let rest = '';
      // readline's iterator does not end when the stream is destroyed.
      for await (const chunk of response.setEncoding('utf8')) {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield JSON.parse(line) as WatchEvent;
      }
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
