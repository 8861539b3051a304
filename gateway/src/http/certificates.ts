import type { Server } from 'node:http';
import type { ServerOptions } from 'node:https';
import type { Server as TlsServer } from 'node:tls';
import type { Logger } from '@ces/chassis/telemetry/log';
import { secureOptions } from '@ces/chassis/tls/read-certificates';
import { type WatchedCertificates, watchCertificates } from '@ces/chassis/tls/watched-certificates';
import type { Config } from '../config.ts';

type Files = Pick<Config, 'publicCertFile' | 'publicKeyFile' | 'publicClientCaFile'>;

/** Serves subscribers or a proxy. Undefined: plain text. Throws ConfigurationError. */
export function publicCertificates(files: Files): WatchedCertificates | undefined {
  const { publicCertFile, publicKeyFile, publicClientCaFile } = files;
  if (!publicCertFile && !publicKeyFile && !publicClientCaFile) return undefined;
  return watchCertificates({
    name: 'public',
    files: {
      cert: { setting: 'CES_PUBLIC_CERT_FILE', path: publicCertFile },
      key: { setting: 'CES_PUBLIC_KEY_FILE', path: publicKeyFile },
      ca: { setting: 'CES_PUBLIC_CLIENT_CA_FILE', path: publicClientCaFile },
    },
  });
}

/** A client CA means mutual TLS. */
export function serverOptions({ current }: WatchedCertificates, handshakeTimeout: number): ServerOptions {
  const isMutual = current.ca !== undefined;
  return { ...secureOptions(current), requestCert: isMutual, rejectUnauthorized: isMutual, handshakeTimeout };
}

export function renewFor(server: Server, certificates: WatchedCertificates, logger: Logger): Disposable {
  const held = new DisposableStack();
  const secured = server as unknown as TlsServer;
  held.use(certificates.reportTo(logger));
  held.use(certificates.onRenewal((renewed) => secured.setSecureContext(secureOptions(renewed))));
  return held;
}
