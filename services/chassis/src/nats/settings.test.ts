import { expect, test } from 'vitest';
import { ConfigurationError, readSettings } from '../settings.ts';
import { createLogger } from '../telemetry/log.ts';
import { startBroker } from './broker.ts';
import { type BrokerConfig, brokerSettings } from './settings.ts';

const ADDRESS = { natsUrl: 'nats://127.0.0.1:1' };

function mistakesOf(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes;
    throw error;
  }
}

test.each([
  'nats://ces:s3cret@127.0.0.1',
  'nats://s3cret@127.0.0.1:4222',
  'tls://:s3cret@127.0.0.1',
  'nats://ces:s3cret@',
  'nats://ces:s3cret@127.0.0.1:port',
])('the address %s is refused in one sentence, and not shown', (address) => {
  const mistakes = mistakesOf(() => readSettings(brokerSettings, { NATS_URL: address }));
  expect(mistakes).toEqual([expect.stringMatching(/^NATS_URL must [^.]+\.?$/)]);
  expect(mistakes[0]).not.toContain('s3cret');
});

test('a password in the address is refused with the name of the setting to use', () => {
  const [mistake] = mistakesOf(() => readSettings(brokerSettings, { NATS_URL: 'nats://ces:s3cret@127.0.0.1' }));
  for (const setting of ['CES_NATS_USER', 'CES_NATS_PASSWORD_FILE', 'CES_NATS_TOKEN', 'CES_NATS_CREDS_FILE'])
    expect(mistake).toContain(setting);
});

test.each<{ set: Partial<BrokerConfig>; mistake: string }>([
  { set: { natsUser: 'ces', natsToken: 'a' }, mistake: 'At most one of' },
  { set: { natsToken: 'a', natsTokenFile: '/gone' }, mistake: 'At most one of' },
  { set: { natsPassword: 'a' }, mistake: 'CES_NATS_PASSWORD is set without CES_NATS_USER' },
  { set: { natsPasswordFile: '/gone' }, mistake: 'CES_NATS_PASSWORD_FILE is set without CES_NATS_USER' },
  { set: { natsUser: 'ces', natsPassword: 'a', natsPasswordFile: 'b' }, mistake: 'not both set' },
  {
    set: { natsUser: 'ces', natsPasswordFile: '/gone' },
    mistake: 'CES_NATS_PASSWORD_FILE names a file that is not there',
  },
  {
    set: { natsTokenFile: '/dev/null' },
    mistake: 'CES_NATS_TOKEN_FILE names a file that is not there or holds nothing',
  },
  { set: { natsCredentialsFile: '/' }, mistake: 'CES_NATS_CREDS_FILE names a file that cannot be read (EISDIR)' },
  { set: { natsCertFile: 'tls.crt' }, mistake: 'set together' },
  { set: { natsCaFile: '/gone' }, mistake: 'CES_NATS_CA_FILE names a file that cannot be read (ENOENT): /gone.' },
])('a start says that $mistake', ({ set, mistake }) => {
  const start = () => startBroker({ ...ADDRESS, ...set }, 'test', createLogger('test', 'silent'));
  expect(mistakesOf(start)).toEqual([expect.stringContaining(mistake)]);
});
