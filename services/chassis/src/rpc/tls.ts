import { readFileSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import { type ChannelCredentials, credentials, experimental } from '@grpc/grpc-js';
import { ConfigurationError, integer, type SettingValues, text } from '../service/settings.ts';
import type { Logger } from '../telemetry/log.ts';

/** The certificate of this process, for what it serves and for what it calls; the files are read again when they change. */
export const rpcTlsSettings = {
  tlsCertFile: text(
    'CES_RPC_TLS_CERT_FILE',
    'certificate chain (PEM) of this process between services; empty: no TLS',
    {
      default: '',
    },
  ),
  tlsKeyFile: text('CES_RPC_TLS_KEY_FILE', 'private key (PEM) of that certificate', { default: '' }),
  tlsCaFile: text(
    'CES_RPC_TLS_CA_FILE',
    'certificates (PEM) that peers are checked with: servers must show one, and so must callers',
    { default: '' },
  ),
  tlsRefreshMs: integer('CES_RPC_TLS_REFRESH_MS', 'how often these files are read again, in milliseconds', {
    default: '30000',
    min: 100,
  }),
};

export type RpcTls = SettingValues<typeof rpcTlsSettings>;

/** Certificates of a server that renew themselves. */
export interface ServerCertificates extends Disposable {
  /** What the server starts with; throws when a file cannot be read. */
  readonly initial: SecureContextOptions & { readonly requestCert: boolean; readonly rejectUnauthorized: boolean };
  /** Calls back with every later state of the files. */
  onRenewal(renew: (context: SecureContextOptions) => void): void;
}

/** The certificates to serve with; undefined without TLS. */
export function serverCertificates(tls: RpcTls, logger: Logger): ServerCertificates | undefined {
  if (Boolean(tls.tlsCertFile) !== Boolean(tls.tlsKeyFile))
    throw new ConfigurationError(['CES_RPC_TLS_CERT_FILE and CES_RPC_TLS_KEY_FILE are set together, or neither is.']);
  if (!tls.tlsCertFile) return undefined;
  const files = watch(tls);
  const ca = () => (tls.tlsCaFile ? { ca: readFileSync(tls.tlsCaFile) } : {});
  let renewIdentity: experimental.IdentityCertificateUpdateListener | undefined;
  return {
    initial: {
      cert: readFileSync(tls.tlsCertFile),
      key: readFileSync(tls.tlsKeyFile),
      ...ca(),
      requestCert: Boolean(tls.tlsCaFile),
      rejectUnauthorized: Boolean(tls.tlsCaFile),
    },
    onRenewal(renew) {
      renewIdentity = (update) => {
        try {
          if (!update) throw new Error(`${tls.tlsCertFile} or ${tls.tlsKeyFile} cannot be read`);
          renew({ cert: update.certificate, key: update.privateKey, ...ca() });
        } catch (error) {
          logger.error({ err: error }, 'a renewed certificate is of no use; the one before it goes on being shown');
        }
      };
      files.addIdentityCertificateListener(renewIdentity);
    },
    [Symbol.dispose]() {
      if (renewIdentity) files.removeIdentityCertificateListener(renewIdentity);
    },
  };
}

/** What a client shows and trusts: nothing for `http:`, the files or the certificates of the system for `https:`. */
export function channelCredentials(url: URL, tls: RpcTls | undefined): ChannelCredentials {
  if (url.protocol !== 'https:') return credentials.createInsecure();
  if (!tls?.tlsCaFile) return credentials.createSsl();
  const files = watch(tls);
  const identity = tls.tlsCertFile ? files : null;
  return experimental.createCertificateProviderChannelCredentials(files, identity);
}

function watch(tls: RpcTls): experimental.FileWatcherCertificateProvider {
  return new experimental.FileWatcherCertificateProvider({
    ...(tls.tlsCertFile && { certificateFile: tls.tlsCertFile, privateKeyFile: tls.tlsKeyFile }),
    ...(tls.tlsCaFile && { caCertificateFile: tls.tlsCaFile }),
    refreshIntervalMs: tls.tlsRefreshMs,
  });
}
