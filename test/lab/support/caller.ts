import { once } from 'node:events';
import http from 'node:http';

/** Reuses connections, as a production client does. */
export class Caller implements Disposable {
  readonly #agent: http.Agent;

  constructor(connections: number) {
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Rejects on any status other than 200. */
  async call(url: string, headers: http.OutgoingHttpHeaders = {}, body?: string): Promise<void> {
    const request = http.request(url, { agent: this.#agent, method: body === undefined ? 'GET' : 'POST', headers });
    request.end(body);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const text = (await response.toArray()).join('');
    if (response.statusCode !== 200) throw new Error(`${url} was answered with ${response.statusCode}: ${text}`);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
