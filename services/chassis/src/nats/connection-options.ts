import {
  type Authenticator,
  credsAuthenticator,
  type NodeConnectionOptions,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { ConfigurationError } from '../service/settings.ts';
import { watchedFile } from '../service/watched-file.ts';
import type { Logger } from '../telemetry/log.ts';
import { watchCertificates } from '../tls/watched-certificates.ts';
import type { BrokerConfig } from './settings.ts';

/** A broker of which nothing is heard through two pings is given up: nine seconds at most (promise R29). */
const PING = { pingInterval: 3_000, maxPingOut: 2 };

/** How to connect to a broker. Throws ConfigurationError when what is set does not go together, or certificates are of no use. */
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
    // Credentials are renewed on either side first: what is refused now may be right at the next attempt.
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

/** What the file says now; what it last said, while it cannot be read. Throws ConfigurationError when it says nothing at the start. */
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

/** Undefined: without TLS, unless the server insists. */
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
  // The library itself reads them at every connection; this one says what is wrong with them, and when they end.
  watchCertificates({ name: 'nats', files }).reportTo(logger);
  return {
    ...(natsCaFile && { caFile: natsCaFile }),
    ...(natsCertFile && natsKeyFile && { certFile: natsCertFile, keyFile: natsKeyFile }),
  };
}
