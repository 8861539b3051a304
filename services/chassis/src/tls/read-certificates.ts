import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ConfigurationError } from '../settings.ts';

interface NamedFile {
  readonly setting: string;
  readonly path: string;
}

/** The chain, its private key, and the CAs that verify peers. */
export interface CertificateFiles {
  readonly cert: NamedFile;
  readonly key: NamedFile;
  readonly ca: NamedFile;
}

export interface Certificates {
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly ca?: Buffer;
  readonly ownExpiresAt?: Date;
  readonly authorityExpiresAt?: Date;
}

/** Node negotiates 1.3 if the peer supports it. */
const LEAST_VERSION = { minVersion: 'TLSv1.2' } as const;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Throws one ConfigurationError: missing or invalid file, wrong key, expired certificate. */
export function readCertificates(files: CertificateFiles): Certificates {
  const mistakes: string[] = [];
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      mistakes.push(...error.mistakes);
      return undefined;
    }
  };
  if ((files.cert.path === '') !== (files.key.path === ''))
    mistakes.push(`${files.cert.setting} and ${files.key.setting} are set together, or neither is.`);
  const own = attempt(() => readChain(files.cert));
  const key = attempt(() => readKey(files.key));
  const authority = attempt(() => readChain(files.ca));
  attempt(() => checkExpiry(files.cert, own && earliest(own.expiries)));
  attempt(() => checkExpiry(files.ca, authority && latest(authority.expiries)));
  if (own && key && !own.first.checkPrivateKey(key.object))
    mistakes.push(
      `${files.key.setting} is not the key of the certificate in ${files.cert.setting}: ${files.key.path}.`,
    );
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const certificates: Certificates = {
    ...(own && { cert: own.pem, ownExpiresAt: earliest(own.expiries) }),
    ...(key && { key: key.pem }),
    ...(authority && { ca: authority.pem, authorityExpiresAt: latest(authority.expiries) }),
  };
  checkUse(files.cert, certificates);
  return certificates;
}

export function secureOptions({ cert, key, ca }: Certificates): SecureContextOptions {
  return { ...(cert && { cert }), ...(key && { key }), ...(ca && { ca }), ...LEAST_VERSION };
}

function readChain(file: NamedFile) {
  const pem = read(file);
  if (!pem) return undefined;
  const certificates = parse(file, 'certificate', () =>
    (pem.toString('latin1').match(CERTIFICATE) ?? []).map((one) => new X509Certificate(one)),
  );
  const [first] = certificates;
  if (!first) throw mistaken(file, `holds no certificate (PEM): ${file.path}.`);
  return { pem, first, expiries: certificates.map(({ validTo }) => new Date(validTo)) };
}

function readKey(file: NamedFile): { readonly pem: Buffer; readonly object: KeyObject } | undefined {
  const pem = read(file);
  return pem && { pem, object: parse(file, 'private key', () => createPrivateKey(pem)) };
}

function read(file: NamedFile): Buffer | undefined {
  if (file.path === '') return undefined;
  try {
    return readFileSync(file.path);
  } catch (error) {
    throw mistaken(file, `names a file that cannot be read (${(error as NodeJS.ErrnoException).code}): ${file.path}.`);
  }
}

function parse<T>(file: NamedFile, what: string, work: () => T): T {
  try {
    return work();
  } catch {
    throw mistaken(file, `holds no ${what} (PEM): ${file.path}.`);
  }
}

function checkExpiry(file: NamedFile, expiresAt: Date | undefined): void {
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw mistaken(file, `holds a certificate that expired at ${expiresAt.toISOString()}: ${file.path}.`);
}

/** Only OpenSSL rejects some faults, such as a key that is too short. */
function checkUse(file: NamedFile, certificates: Certificates): void {
  try {
    createSecureContext(secureOptions(certificates));
  } catch (error) {
    throw mistaken(file, `and what is beside it cannot be used (${(error as Error).message}): ${file.path}.`);
  }
}

function mistaken({ setting }: NamedFile, sentence: string): ConfigurationError {
  return new ConfigurationError([`${setting} ${sentence}`]);
}

function earliest(dates: readonly Date[]): Date {
  return new Date(Math.min(...dates.map(Number)));
}

function latest(dates: readonly Date[]): Date {
  return new Date(Math.max(...dates.map(Number)));
}
