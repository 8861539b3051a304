import { expect, test } from 'vitest';
import { SETTINGS } from './components.ts';

const PEER = /^CES_(?:LEDGER|OPERATIONS|LOOKUP|SEARCH|ACQUISITION)_URL$/;

test('every program takes the address of each of its peers in plain text and with TLS', () => {
  const peers = Object.entries(SETTINGS).flatMap(([program, settings]) =>
    Object.values(settings)
      .filter(({ name }) => PEER.test(name))
      .map((setting) => ({ program, setting })),
  );
  expect(peers.length).toBeGreaterThan(5);
  for (const { program, setting } of peers)
    for (const address of ['http://peer:1', 'https://peer:1'])
      expect(() => setting.parse(address), `${program}: ${setting.name}`).not.toThrow();
});
