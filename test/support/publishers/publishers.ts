import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createAuthority } from '../certificates.ts';
import { PUBLISHERS, type Publisher } from './documents.ts';

/**
 * - `slow`: the body comes in pieces with pauses.
 * - `broken`: the connection ends within the body.
 * - `rate_limited`: the first request to each address is refused with 429.
 */
export type Fault = 'slow' | 'broken' | 'rate_limited';

export interface Publishers extends AsyncDisposable {
  /** Settings of a stack whose sources are fetched from here. */
  readonly env: Readonly<Record<string, string>>;
  /** Answers by status, as `200 host/path`. */
  readonly answers: readonly string[];
}

const PIECES = 8;
const PIECE_PAUSE_MS = 100;

/** HTTPS servers with certificates of an authority of their own, one for each host of a source. */
export async function startPublishers(
  folder: string,
  faults: Readonly<Record<string, Fault>> = {},
): Promise<Publishers> {
  await using cleanup = new AsyncDisposableStack();
  const files = await (await createAuthority()).issue(folder, ['127.0.0.1']);
  const [cert, key] = await Promise.all([readFile(files.certFile), readFile(files.keyFile)]);
  const answers: string[] = [];
  const ports = new Map<string, number>();
  for (const [host, publisher] of Object.entries(PUBLISHERS)) {
    const respond = respondWith(publisher, faults[host]);
    const server = https.createServer({ cert, key }, async (request, response) => {
      const status = await respond(request, response);
      answers.push(`${status} ${host}${request.url?.split('?')[0]}`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.defer(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    ports.set(host, (server.address() as AddressInfo).port);
  }
  const kept = cleanup.move();
  return {
    answers,
    env: {
      NODE_EXTRA_CA_CERTS: files.caFile,
      CES_ACQUISITION_MIRRORS: [...ports].map(([host, port]) => `${host}=https://127.0.0.1:${port}`).join(','),
      CES_ACQUISITION_ALLOWED_ADDRESSES: [...ports.values()].map((port) => `127.0.0.1:${port}`).join(','),
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function respondWith(publisher: Publisher, fault: Fault | undefined) {
  const known = new Set<string>();
  return async ({ url = '' }: IncomingMessage, response: ServerResponse): Promise<number> => {
    const isFirst = !known.has(url);
    known.add(url);
    const body = url === '/robots.txt' ? undefined : await publisher(new URL(url, 'https://publisher.example'));
    if (body === undefined) return await end(response, 404, {}, '');
    if (fault === 'rate_limited' && isFirst) return await end(response, 429, { 'retry-after': '1' }, '');
    const bytes = Buffer.from(body);
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(bytes.length) };
    if (fault === 'broken') return await breakOff(response, headers, bytes);
    if (fault === 'slow') return await drip(response, headers, bytes);
    return await end(response, 200, headers, bytes);
  };
}

async function end(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | string,
): Promise<number> {
  response.writeHead(status, headers).end(body);
  return status;
}

async function breakOff(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array,
): Promise<number> {
  response.writeHead(200, headers);
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  return 200;
}

async function drip(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array,
): Promise<number> {
  response.writeHead(200, headers);
  const size = Math.ceil(bytes.length / PIECES);
  for (let from = 0; from < bytes.length && !response.destroyed; from += size) {
    response.write(bytes.subarray(from, from + size));
    await pause(PIECE_PAUSE_MS);
  }
  response.end();
  return 200;
}
