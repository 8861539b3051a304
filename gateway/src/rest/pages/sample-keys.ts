import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { PublicError } from '../../errors/public-error.ts';

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

interface ReadyFile {
  readonly credentials?: Readonly<Record<string, string>>;
  readonly sample?: boolean;
}

/**
 * Keys of a local stack. Only if the operator has set the file, client address and host name are
 * loopback, and a page of this origin asks through no detectable proxy.
 */
export function registerSampleKeys(app: FastifyInstance, { sampleKeysFile }: Config): void {
  app.get('/explore/sample-keys.json', async (request, reply) => {
    if (sampleKeysFile === '' || !isOwnPageHere(request))
      throw new PublicError(
        'not_found',
        'There are no sample keys here; a local stack offers its own to its explorer.',
      );
    const { credentials = {}, sample = false }: ReadyFile = JSON.parse(await readFile(sampleKeysFile, 'utf8'));
    return reply.header('cache-control', 'no-store').send({ credentials, sample });
  });
}

function isOwnPageHere({ raw, hostname }: FastifyRequest): boolean {
  const name = hostname.replace(/^\[|\]$/g, '');
  const namesThisMachine = name === 'localhost' || (isIP(name) > 0 && LOOPBACK.test(name));
  const isFromHere = LOOPBACK.test(raw.socket.remoteAddress ?? '');
  return namesThisMachine && isFromHere && raw.headers['sec-fetch-site'] === 'same-origin' && !cameThroughProxy(raw);
}

/** A proxy on this machine adds headers, or sends requests that no browser sends. */
function cameThroughProxy({ headers, headersDistinct, httpVersion, url = '' }: IncomingMessage): boolean {
  const hosts = headersDistinct.host ?? [];
  return httpVersion === '1.0' || !url.startsWith('/') || hosts.length !== 1 || Object.keys(headers).some(isOfProxy);
}

function isOfProxy(header: string): boolean {
  return /^(?:via|forwarded|x-(?:forwarded|envoy|original)-.*|(?:x-)?(?:real|client|true-client|cluster-client)-ip|cf-.*)$/.test(
    header,
  );
}
