import { expect, test } from 'vitest';
import { ConfigurationError, readSettings } from '../service/settings.ts';
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

test('an address with a password is refused, and not shown', () => {
  const [mistake, ...more] = mistakesOf(() =>
    readSettings(brokerSettings, { NATS_URL: 'nats://ces:s3cret@127.0.0.1' }),
  );
  expect(mistake).toMatch(/^NATS_URL must carry no name and no password/);
  expect(mistake).not.toContain('s3cret');
  expect(more).toEqual([]);
});

test.each<{ set: Partial<BrokerConfig>; mistake: string }>([
  { set: { natsUser: 'ces', natsToken: 'a' }, mistake: 'At most one of' },
  { set: { natsPassword: 'a' }, mistake: 'without CES_NATS_USER' },
  { set: { natsCertFile: 'tls.crt' }, mistake: 'set together' },
  { set: { natsCaFile: '/gone' }, mistake: 'CES_NATS_CA_FILE names a file that cannot be read (ENOENT): /gone.' },
])('a start says that $mistake', ({ set, mistake }) => {
  const start = () => startBroker({ ...ADDRESS, ...set }, 'test', createLogger('test', 'silent'));
  expect(mistakesOf(start)).toEqual([expect.stringContaining(mistake)]);
});
