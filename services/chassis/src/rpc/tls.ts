import type { SecureContextOptions } from 'node:tls';
import { type ChannelCredentials, credentials, experimental } from '@grpc/grpc-js';
import { integer, oneOf, type SettingValues, text } from '../settings.ts';
import type { Logger } from '../telemetry/log.ts';
import { CertificateProvider } from '../tls/certificate-provider.ts';
import { secureOptions } from '../tls/read-certificates.ts';
import { type WatchedCertificates, watchCertificates } from '../tls/watched-certificates.ts';

export const rpcTlsSettings = {
  tlsCertFile: text('CES_RPC_TLS_CERT_FILE', 'certificate for RPC; empty: no TLS', {
    default: '',
  }),
  tlsKeyFile: text('CES_RPC_TLS_KEY_FILE', 'private key of CES_RPC_TLS_CERT_FILE', { default: '' }),
  tlsCaFile: text('CES_RPC_TLS_CA_FILE', 'CA certificates that verify servers and callers', { default: '' }),
  tlsClientAuth: oneOf('CES_RPC_TLS_CLIENT_AUTH', 'whether callers must present a certificate', ['require', 'none'], {
    default: 'require',
  }),
  tlsRefreshMs: integer('CES_RPC_TLS_REFRESH_MS', 'pause between reloads of TLS files', {
    default: '5000',
    min: 100,
  }),
};

export type RpcTls = SettingValues<typeof rpcTlsSettings>;

export interface ServerCertificates extends Disposable {
  readonly initial: SecureContextOptions & { readonly requestCert: boolean; readonly rejectUnauthorized: boolean };
  onRenewal(renew: (context: SecureContextOptions) => void): void;
}

export function serverCertificates(tls: RpcTls, logger: Logger): ServerCertificates | undefined {
  const certificates = watch(tls);
  if (!certificates?.current.cert) return undefined;
  const isMutual = tls.tlsCaFile !== '' && tls.tlsClientAuth === 'require';
  const held = new DisposableStack();
  held.use(certificates.reportTo(logger));
  return {
    initial: { ...secureOptions(certificates.current), requestCert: isMutual, rejectUnauthorized: isMutual },
    onRenewal: (renew) => void held.use(certificates.onRenewal((renewed) => renew(secureOptions(renewed)))),
    [Symbol.dispose]: () => held.dispose(),
  };
}

export function reportRenewals(tls: RpcTls, logger: Logger): void {
  watch(tls)?.reportTo(logger);
}

/** Uses the configured files for `https:`, or else the system's CAs. */
export function channelCredentials(url: URL, tls: RpcTls | undefined): ChannelCredentials {
  if (url.protocol !== 'https:') return credentials.createInsecure();
  const certificates = tls && watch(tls);
  if (!certificates) return credentials.createSsl();
  const provider = new CertificateProvider(certificates);
  return experimental.createCertificateProviderChannelCredentials(
    provider,
    certificates.current.cert ? provider : null,
  );
}

function watch(tls: RpcTls): WatchedCertificates | undefined {
  if (!tls.tlsCertFile && !tls.tlsKeyFile && !tls.tlsCaFile) return undefined;
  return watchCertificates({
    name: 'rpc',
    files: {
      cert: { setting: 'CES_RPC_TLS_CERT_FILE', path: tls.tlsCertFile },
      key: { setting: 'CES_RPC_TLS_KEY_FILE', path: tls.tlsKeyFile },
      ca: { setting: 'CES_RPC_TLS_CA_FILE', path: tls.tlsCaFile },
    },
    refreshMs: tls.tlsRefreshMs,
  });
}
