import { integer, type Setting, type SettingValues, text, url } from '../settings.ts';

const address = url('NATS_URL', 'address of the NATS server, without a user name or password', {
  schemes: ['nats', 'tls'],
  default: 'nats://127.0.0.1:4222',
});

const file = (name: string, description: string) => text(name, `${description}; empty: none`, { default: '' });

export const brokerSettings = {
  natsUrl: { ...address, parse: (value) => withoutCredentials(address.parse(value)) } satisfies Setting<string>,
  natsPrefix: text('CES_NATS_PREFIX', 'prefix of all subjects and streams, so that installations can share a server', {
    default: '',
  }),
  natsReplicas: integer('CES_NATS_REPLICAS', 'replicas of each stream in a NATS cluster', {
    default: '1',
    min: 1,
    max: 5,
  }),
  natsCredentialsFile: file('CES_NATS_CREDS_FILE', 'NATS credentials file of this process: a JWT and its seed'),
  natsNkeyFile: file('CES_NATS_NKEY_FILE', 'file with the nkey seed of this process'),
  natsUser: text('CES_NATS_USER', 'NATS user name of this process; empty: none', { default: '' }),
  natsPassword: text('CES_NATS_PASSWORD', 'password of CES_NATS_USER', { secret: true, default: '' }),
  natsPasswordFile: file('CES_NATS_PASSWORD_FILE', 'file with the password of CES_NATS_USER, read at every connection'),
  natsToken: text('CES_NATS_TOKEN', 'NATS authentication token; empty: none', { secret: true, default: '' }),
  natsTokenFile: file('CES_NATS_TOKEN_FILE', 'file with the NATS authentication token, read at every connection'),
  natsCaFile: file(
    'CES_NATS_CA_FILE',
    'CA certificates (PEM) that verify the NATS server; use it with a tls:// address',
  ),
  natsCertFile: file('CES_NATS_CERT_FILE', 'client certificate (PEM) of this process for NATS'),
  natsKeyFile: file('CES_NATS_KEY_FILE', 'private key (PEM) of CES_NATS_CERT_FILE'),
};

type BrokerSettings = SettingValues<typeof brokerSettings>;

export type BrokerConfig = Pick<BrokerSettings, 'natsUrl'> & Partial<Omit<BrokerSettings, 'natsUrl' | 'natsPrefix'>>;

/** Logs show the address, so it must not contain a password. */
function withoutCredentials(value: string): string {
  const { username, password } = new URL(value);
  if (username !== '' || password !== '')
    throw new Error(
      'must carry no name, password or token: set CES_NATS_USER with CES_NATS_PASSWORD or CES_NATS_PASSWORD_FILE, CES_NATS_TOKEN or CES_NATS_TOKEN_FILE, CES_NATS_CREDS_FILE, or CES_NATS_NKEY_FILE',
    );
  return value;
}
