import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAuthority } from '@ces/test/support/certificates.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigurationError } from '../settings.ts';
import { type CertificateFiles, readCertificates } from './read-certificates.ts';

const authority = await createAuthority();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ces-certificates-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function issue(notAfter?: Date): Promise<CertificateFiles> {
  const files = await authority.issue(await mkdtemp(path.join(folder, 'of-')), ['localhost'], notAfter);
  return {
    cert: { setting: 'THE_CERT', path: files.certFile },
    key: { setting: 'THE_KEY', path: files.keyFile },
    ca: { setting: 'THE_CA', path: files.caFile },
  };
}

function mistakesOf(files: CertificateFiles): readonly string[] {
  try {
    readCertificates(files);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes;
    throw error;
  }
}

test('certificates that belong together are read, with the times of their ends', async () => {
  const notAfter = new Date('2126-01-02T03:04:05.000Z');
  const files = await issue(notAfter);
  const read = readCertificates(files);
  expect(read.ownExpiresAt).toEqual(notAfter);
  expect(read.authorityExpiresAt?.getTime()).toBeGreaterThan(Date.now());
  const none = { setting: 'NONE', path: '' };
  expect(readCertificates({ cert: none, key: none, ca: none })).toEqual({});
});

test('each mistake is one sentence that names its setting', async () => {
  const files = await issue();
  const other = await issue();
  const gone = { ...files.ca, path: path.join(folder, 'gone') };
  expect(mistakesOf({ ...files, ca: gone })).toEqual([
    `THE_CA names a file that cannot be read (ENOENT): ${gone.path}.`,
  ]);
  expect(mistakesOf({ ...files, key: other.key })).toEqual([
    `THE_KEY is not the key of the certificate in THE_CERT: ${other.key.path}.`,
  ]);
  expect(mistakesOf({ ...files, key: { ...files.key, path: '' } })).toEqual([
    'THE_CERT and THE_KEY are set together, or neither is.',
  ]);
  const empty = { ...files.cert, path: path.join(folder, 'empty') };
  await writeFile(empty.path, '');
  expect(mistakesOf({ ...files, cert: empty })).toEqual([`THE_CERT holds no certificate (PEM): ${empty.path}.`]);
  expect(mistakesOf({ ...files, key: { ...files.key, path: empty.path } })).toEqual([
    `THE_KEY holds no private key (PEM): ${empty.path}.`,
  ]);
});

test('an expired certificate is refused, and so is one with the key of another', async () => {
  const expired = await issue(new Date(Date.now() - 60_000));
  expect(mistakesOf(expired)).toEqual([
    expect.stringMatching(/^THE_CERT holds a certificate that expired at \d{4}-\d\d-\d\dT.*\.$/),
  ]);
  expect(mistakesOf({ ...expired, key: (await issue()).key })).toHaveLength(2);
});
