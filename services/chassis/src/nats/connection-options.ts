import { readFileSync } from 'node:fs';
import {
  type Authenticator,
  credsAuthenticator,
  type NodeConnectionOptions,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { ConfigurationError } from '../service/settings.ts';
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
  const { natsCredentialsFile, natsNkeyFile, natsUser, natsPassword, natsToken } = config;
  const ways: Authenticator[] = [];
  if (natsCredentialsFile) ways.push(credsAuthenticator(() => readFileSync(natsCredentialsFile)));
  if (natsNkeyFile) ways.push(nkeyAuthenticator(() => Buffer.from(readFileSync(natsNkeyFile, 'utf8').trim())));
  if (natsUser) ways.push(usernamePasswordAuthenticator(natsUser, natsPassword));
  if (natsToken) ways.push(tokenAuthenticator(natsToken));
  const settings = 'CES_NATS_CREDS_FILE, CES_NATS_NKEY_FILE, CES_NATS_USER and CES_NATS_TOKEN';
  if (ways.length > 1) throw new ConfigurationError([`At most one of ${settings} is set.`]);
  if (natsPassword && !natsUser) throw new ConfigurationError(['CES_NATS_PASSWORD is set without CES_NATS_USER.']);
  return ways[0];
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
