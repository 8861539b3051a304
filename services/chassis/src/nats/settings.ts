import { integer, type Setting, type SettingValues, text, url } from '../settings.ts';

const address = url('NATS_URL', 'address of the NATS server, without credentials', {
  schemes: ['nats', 'tls'],
  default: 'nats://127.0.0.1:4222',
});

const file = (name: string, description: string) => text(name, description, { default: '' });

export const brokerSettings = {
  natsUrl: { ...address, parse: (value) => withoutCredentials(address.parse(value)) } satisfies Setting<string>,
  natsPrefix: text('CES_NATS_PREFIX', 'prefix of subjects and streams, for installations that share a server', {
    default: '',
  }),
  natsReplicas: integer('CES_NATS_REPLICAS', 'replicas of each stream in a NATS cluster', {
    default: '1',
    min: 1,
    max: 5,
  }),
  natsCredentialsFile: file('CES_NATS_CREDS_FILE', 'NATS credentials file'),
  natsNkeyFile: file('CES_NATS_NKEY_FILE', 'file with the nkey seed'),
  natsUser: text('CES_NATS_USER', 'NATS user name', { default: '' }),
  natsPassword: text('CES_NATS_PASSWORD', 'password of CES_NATS_USER', { secret: true, default: '' }),
  natsPasswordFile: file('CES_NATS_PASSWORD_FILE', 'file with the password of CES_NATS_USER'),
  natsToken: text('CES_NATS_TOKEN', 'NATS token', { secret: true, default: '' }),
  natsTokenFile: file('CES_NATS_TOKEN_FILE', 'file with the NATS token'),
  natsCaFile: file('CES_NATS_CA_FILE', 'CA certificates for NATS, with a tls:// address'),
  natsCertFile: file('CES_NATS_CERT_FILE', 'client certificate for NATS'),
  natsKeyFile: file('CES_NATS_KEY_FILE', 'private key of CES_NATS_CERT_FILE'),
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
