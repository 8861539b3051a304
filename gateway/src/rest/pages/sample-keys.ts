import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { PublicError } from '../../errors/public-error.ts';

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

interface ReadyFile {
  readonly credentials?: Readonly<Record<string, string>>;
}

/**
 * Keys of the sample accounts of a local stack, for the explorer alone: only where the operator names their file, only to this
 * machine, under a name that no other site can have, through no proxy that can be told, and to no page but our own.
 */
export function registerSampleKeys(app: FastifyInstance, { sampleKeysFile }: Config): void {
  app.get('/explore/sample-keys.json', async (request, reply) => {
    if (sampleKeysFile === '' || !isOwnPageHere(request))
      throw new PublicError(
        'not_found',
        'There are no sample keys here; a local stack offers its own to its explorer.',
      );
    const { credentials = {} }: ReadyFile = JSON.parse(await readFile(sampleKeysFile, 'utf8'));
    return reply.header('cache-control', 'no-store').send({ credentials });
  });
}

function isOwnPageHere({ raw, hostname }: FastifyRequest): boolean {
  const name = hostname.replace(/^\[|\]$/g, '');
  const namesThisMachine = name === 'localhost' || (isIP(name) > 0 && LOOPBACK.test(name));
  const isFromHere = LOOPBACK.test(raw.socket.remoteAddress ?? '');
  return namesThisMachine && isFromHere && raw.headers['sec-fetch-site'] === 'same-origin' && !cameThroughProxy(raw);
}

/** A proxy on this machine shows its own address, and may name it too, for strangers; it adds headers, or speaks as no browser does. */
function cameThroughProxy({ headers, headersDistinct, httpVersion, url = '' }: IncomingMessage): boolean {
  const hosts = headersDistinct.host ?? [];
  return httpVersion === '1.0' || !url.startsWith('/') || hosts.length !== 1 || Object.keys(headers).some(isOfProxy);
}

function isOfProxy(header: string): boolean {
  return /^(?:via|forwarded|x-(?:forwarded|envoy|original)-.*|(?:x-)?(?:real|client|true-client|cluster-client)-ip|cf-.*)$/.test(
    header,
  );
}
