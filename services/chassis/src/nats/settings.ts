import { integer, type Setting, type SettingValues, text, url } from '../service/settings.ts';

const address = url('NATS_URL', 'address of the NATS server, without a name or password in it', {
  schemes: ['nats', 'tls'],
  default: 'nats://127.0.0.1:4222',
});

const file = (name: string, description: string) => text(name, `${description}; empty: none`, { default: '' });

export const brokerSettings = {
  natsUrl: { ...address, parse: (value) => withoutCredentials(address.parse(value)) } satisfies Setting<string>,
  natsPrefix: text('CES_NATS_PREFIX', 'what subjects and streams begin with, so that stacks can share a server', {
    default: '',
  }),
  natsReplicas: integer('CES_NATS_REPLICAS', 'servers of a NATS cluster that keep each stream', {
    default: '1',
    min: 1,
    max: 5,
  }),
  natsCredentialsFile: file('CES_NATS_CREDS_FILE', 'credentials of a NATS user: a JWT and its seed'),
  natsNkeyFile: file('CES_NATS_NKEY_FILE', 'seed of the nkey by which NATS knows this process'),
  natsUser: text('CES_NATS_USER', 'name by which NATS knows this process; empty: none', { default: '' }),
  natsPassword: text('CES_NATS_PASSWORD', 'password of that name', { secret: true, default: '' }),
  natsPasswordFile: file('CES_NATS_PASSWORD_FILE', 'file with that password instead, read again at every connection'),
  natsToken: text('CES_NATS_TOKEN', 'token that NATS asks for; empty: none', { secret: true, default: '' }),
  natsTokenFile: file('CES_NATS_TOKEN_FILE', 'file with that token instead, read again at every connection'),
  natsCaFile: file(
    'CES_NATS_CA_FILE',
    'certificates (PEM) that the NATS server is checked with, beside tls:// in its address',
  ),
  natsCertFile: file('CES_NATS_CERT_FILE', 'certificate (PEM) of this process towards NATS'),
  natsKeyFile: file('CES_NATS_KEY_FILE', 'private key (PEM) of that certificate'),
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
