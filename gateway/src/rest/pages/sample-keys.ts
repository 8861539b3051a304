import { readFile } from 'node:fs/promises';
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
 * machine, under a name that no other site can have, and to no page but our own.
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

function isOwnPageHere({ raw, hostname, headers }: FastifyRequest): boolean {
  const name = hostname.replace(/^\[|\]$/g, '');
  const namesThisMachine = name === 'localhost' || (isIP(name) > 0 && LOOPBACK.test(name));
  return (
    namesThisMachine && LOOPBACK.test(raw.socket.remoteAddress ?? '') && headers['sec-fetch-site'] === 'same-origin'
  );
}
