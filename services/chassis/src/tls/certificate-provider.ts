import { getCACertificates } from 'node:tls';
import type { experimental } from '@grpc/grpc-js';
import type { Certificates } from './read-certificates.ts';
import type { WatchedCertificates } from './watched-certificates.ts';

type Renewing = Pick<WatchedCertificates, 'current' | 'onRenewal'>;

/** New connections of channels use the newest certificates. */
export class CertificateProvider implements experimental.CertificateProvider {
  readonly #certificates: Renewing;
  readonly #held = new Map<unknown, Disposable>();

  constructor(certificates: Renewing) {
    this.#certificates = certificates;
  }

  addCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.#add(listener, ({ ca }) => listener({ caCertificate: ca ?? ofTheSystem() }));
  }

  removeCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.#remove(listener);
  }

  addIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#add(listener, ({ cert, key }) => listener(cert && key ? { certificate: cert, privateKey: key } : null));
  }

  removeIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#remove(listener);
  }

  #add(listener: unknown, tell: (certificates: Certificates) => void): void {
    this.#held.set(listener, this.#certificates.onRenewal(tell));
    tell(this.#certificates.current);
  }

  #remove(listener: unknown): void {
    this.#held.get(listener)?.[Symbol.dispose]();
    this.#held.delete(listener);
  }
}

function ofTheSystem(): Buffer {
  return Buffer.from(getCACertificates('default').join('\n'));
}
