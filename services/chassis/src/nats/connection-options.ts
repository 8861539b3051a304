import {
  type Authenticator,
  credsAuthenticator,
  type NodeConnectionOptions,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { watchedFile } from '../service/watched-file.ts';
import { ConfigurationError } from '../settings.ts';
import type { Logger } from '../telemetry/log.ts';
import { watchCertificates } from '../tls/watched-certificates.ts';
import type { BrokerConfig } from './settings.ts';

/** Drops a connection after two unanswered pings: nine seconds at most (promise R29). */
const PING = { pingInterval: 3_000, maxPingOut: 2 };

/** Throws ConfigurationError if the settings conflict or a file is invalid. */
export function connectionOptions(config: BrokerConfig, name: string, logger: Logger): NodeConnectionOptions {
  const authenticator = authenticatorOf(config);
  const tls = tlsOf(config, logger);
  return {
    servers: config.natsUrl,
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    timeout: 3_000,
    ...PING,
    // Client and server may renew credentials at different times, so a refused one may work later.
    ignoreAuthErrorAbort: true,
    ...(authenticator && { authenticator }),
    ...(tls && { tls }),
  };
}

function authenticatorOf(config: BrokerConfig): Authenticator | undefined {
  const { natsCredentialsFile, natsNkeyFile, natsUser, natsPassword, natsPasswordFile, natsToken, natsTokenFile } =
    config;
  if ([natsCredentialsFile, natsNkeyFile, natsUser, natsToken, natsTokenFile].filter(Boolean).length > 1)
    throw new ConfigurationError([
      'At most one of CES_NATS_CREDS_FILE, CES_NATS_NKEY_FILE, CES_NATS_USER, CES_NATS_TOKEN and CES_NATS_TOKEN_FILE is set.',
    ]);
  if (natsPassword && natsPasswordFile)
    throw new ConfigurationError(['CES_NATS_PASSWORD and CES_NATS_PASSWORD_FILE are not both set.']);
  for (const [setting, value] of Object.entries({ PASSWORD: natsPassword, PASSWORD_FILE: natsPasswordFile }))
    if (value && !natsUser) throw new ConfigurationError([`CES_NATS_${setting} is set without CES_NATS_USER.`]);
  if (natsCredentialsFile) {
    const read = textIn('CES_NATS_CREDS_FILE', natsCredentialsFile);
    return credsAuthenticator(() => Buffer.from(read()));
  }
  if (natsNkeyFile) {
    const read = textIn('CES_NATS_NKEY_FILE', natsNkeyFile);
    return nkeyAuthenticator(() => Buffer.from(read().trim()));
  }
  if (natsUser && natsPasswordFile) {
    const read = textIn('CES_NATS_PASSWORD_FILE', natsPasswordFile);
    return usernamePasswordAuthenticator(natsUser, () => read().trim());
  }
  if (natsUser) return usernamePasswordAuthenticator(natsUser, natsPassword);
  if (natsTokenFile) {
    const read = textIn('CES_NATS_TOKEN_FILE', natsTokenFile);
    return tokenAuthenticator(() => read().trim());
  }
  return natsToken ? tokenAuthenticator(natsToken) : undefined;
}

/** An unreadable file keeps its last content, but is a ConfigurationError at the start. */
function textIn(setting: string, path: string): () => string {
  const read = watchedFile(path, (text) => text);
  try {
    if (read()?.trim()) return () => read() ?? '';
  } catch (error) {
    throw new ConfigurationError([
      `${setting} names a file that cannot be read (${(error as NodeJS.ErrnoException).code}): ${path}.`,
    ]);
  }
  throw new ConfigurationError([`${setting} names a file that is not there or holds nothing: ${path}.`]);
}

function tlsOf(
  { natsUrl, natsCaFile = '', natsCertFile = '', natsKeyFile = '' }: BrokerConfig,
  logger: Logger,
): NodeConnectionOptions['tls'] {
  if (Boolean(natsCertFile) !== Boolean(natsKeyFile))
    throw new ConfigurationError(['CES_NATS_CERT_FILE and CES_NATS_KEY_FILE are set together, or neither is.']);
  if (!natsUrl.startsWith('tls:') && !natsCaFile && !natsCertFile) return undefined;
  const files = {
    cert: { setting: 'CES_NATS_CERT_FILE', path: natsCertFile },
    key: { setting: 'CES_NATS_KEY_FILE', path: natsKeyFile },
    ca: { setting: 'CES_NATS_CA_FILE', path: natsCaFile },
  };
  // The NATS client reads the files at each connection; this watch reports errors and expiry.
  watchCertificates({ name: 'nats', files }).reportTo(logger);
  return {
    ...(natsCaFile && { caFile: natsCaFile }),
    ...(natsCertFile && natsKeyFile && { certFile: natsCertFile, keyFile: natsKeyFile }),
  };
}
