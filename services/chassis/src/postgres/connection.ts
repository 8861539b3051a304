import { createSecureContext, type SecureContext } from 'node:tls';
import type pg from 'pg';
import { ConfigurationError, type SettingValues, text } from '../settings.ts';
import type { Logger } from '../telemetry/log.ts';
import { type Certificates, secureOptions } from '../tls/read-certificates.ts';
import { watchCertificates } from '../tls/watched-certificates.ts';

export const postgresTlsSettings = {
  postgresCaFile: text('CES_POSTGRES_CA_FILE', 'CA certificates for Postgres; if set, connections require TLS', {
    default: '',
  }),
  postgresCertFile: text('CES_POSTGRES_CERT_FILE', 'client certificate for Postgres', { default: '' }),
  postgresKeyFile: text('CES_POSTGRES_KEY_FILE', 'private key of CES_POSTGRES_CERT_FILE', {
    default: '',
  }),
};

export type PostgresTls = Partial<SettingValues<typeof postgresTlsSettings>>;

export type Connection = Pick<pg.ClientConfig, 'connectionString' | 'ssl'>;

/**
 * With a certificate file, each new connection verifies certificate and host name. Throws
 * ConfigurationError for an invalid file, or SSL parameters in the URL too.
 */
export function connectionTo(url: string, tls: PostgresTls = {}, logger?: Logger): Connection {
  const { postgresCaFile = '', postgresCertFile = '', postgresKeyFile = '' } = tls;
  if (postgresCaFile === '' && postgresCertFile === '' && postgresKeyFile === '') return { connectionString: url };
  const own = [...new URL(url).searchParams.keys()].find((name) => /^ssl/i.test(name));
  if (own)
    throw new ConfigurationError([`CES_POSTGRES_CA_FILE and ${own} in the address of a database are not both set.`]);
  const watched = watchCertificates({
    name: 'postgres',
    files: {
      cert: { setting: 'CES_POSTGRES_CERT_FILE', path: postgresCertFile },
      key: { setting: 'CES_POSTGRES_KEY_FILE', path: postgresKeyFile },
      ca: { setting: 'CES_POSTGRES_CA_FILE', path: postgresCaFile },
    },
  });
  if (logger) watched.reportTo(logger);
  return {
    connectionString: url,
    // A getter, because pg copies these options at each connection.
    ssl: {
      get secureContext() {
        return contextOf(watched.current);
      },
    },
  };
}

const contexts = new WeakMap<Certificates, SecureContext>();

function contextOf(certificates: Certificates): SecureContext {
  const context = contexts.get(certificates) ?? createSecureContext(secureOptions(certificates));
  contexts.set(certificates, context);
  return context;
}
