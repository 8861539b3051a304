import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

export interface Authority {
  readonly pem: string;
  /**
   * Writes a certificate for these host names and addresses, its key and the CA certificate into
   * `folder`. The certificate expires at `notAfter`, by default after one day.
   */
  issue(folder: string, names: readonly string[], notAfter?: Date): Promise<CertificateFiles>;
}

export async function createAuthority(): Promise<Authority> {
  const keys = await createKeys();
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=authority of tests',
    keys,
    signingAlgorithm: ALGORITHM,
    ...lifetime(),
    // The key identifier distinguishes this authority from another one of the same name.
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    pem: ca.toString('pem'),
    async issue(folder, names, notAfter = new Date(Date.now() + DAY_MS)) {
      const own = await createKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        subject: `CN=${names[0]}`,
        issuer: ca.subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        ...lifetime(),
        notAfter,
        extensions: [
          await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: /^[\d.]+$/.test(value) ? ('ip' as const) : ('dns' as const), value })),
          ),
        ],
      });
      const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', own.privateKey);
      const write = async (name: string, pem: string) => {
        const file = path.join(folder, name);
        await writeFile(file, pem, { mode: 0o600 });
        return file;
      };
      return {
        certFile: await write('tls.crt', certificate.toString('pem')),
        keyFile: await write('tls.key', x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')),
        caFile: await write('ca.crt', ca.toString('pem')),
      };
    },
  };
}

async function createKeys() {
  return await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function lifetime() {
  return { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) };
}
