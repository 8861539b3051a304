import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProxy } from '../../test-support/local-proxy.ts';
import { type LocalServer, startLocalServer } from '../../test-support/local-server.ts';
import { ForbiddenAddress, isPublicAddress } from './allowed-addresses.ts';
import { createGuardedAgent } from './guarded-agent.ts';

const FORBIDDEN = [
  // Loopback and this host.
  '127.0.0.1',
  '127.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '0x7f.1',
  '0.0.0.0',
  '0',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  // Private, shared, link-local and metadata addresses.
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '0xc0a80001',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '169.254.0.1',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '100.100.100.200',
  '192.0.0.192',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[febf::1]',
  '[fc00::1]',
  '[fdff::1]',
  '[fec0::1]',
  // Special, documentation, benchmark, multicast, reserved and broadcast addresses.
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
  '[3fff::1]',
  // Addresses that embed another one.
  '[::ffff:127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::a00:1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::1]',
  '[2001:0:7f00:1::]',
  '[::ffff:0:127.0.0.1]',
  // Embedded public addresses: the connection would not go to the address that was checked.
  '[::ffff:8.8.8.8]',
  '[64:ff9b::808:808]',
  '[64:ff9b:1::808:808]',
];
const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '192.169.0.1',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
];

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer((_, response) => response.end('reached'));
});
afterAll(() => server[Symbol.asyncDispose]());

function reasonOf(error: Error): Error {
  return error.cause instanceof Error ? reasonOf(error.cause) : error;
}

describe(`${FORBIDDEN.length} addresses that are no source`, () => {
  test.each(FORBIDDEN)('%s is refused before anything is sent', async (host) => {
    await using agent = disposable(createGuardedAgent({ allowed: new Set() }));
    const error = await request(`http://${host}/`, { dispatcher: agent.agent }).catch(reasonOf);
    expect(error).toBeInstanceOf(ForbiddenAddress);
  });

  test.each(FORBIDDEN)('%s is refused before a proxy is asked', async (host) => {
    await using proxy = await startProxy();
    await using agent = disposable(createGuardedAgent({ allowed: new Set(), proxy: proxy.url }));
    const error = await request(`http://${host}/`, { dispatcher: agent.agent }).catch(reasonOf);
    expect(error).toBeInstanceOf(ForbiddenAddress);
    expect(proxy.asked).toEqual([]);
  });

  test('are at least sixty', () => expect(FORBIDDEN.length).toBeGreaterThanOrEqual(60));
});

test.each(PUBLIC)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

test('a name that resolves to a forbidden address, among public ones too, is refused', async () => {
  for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:7f00:1'], ['169.254.169.254']]) {
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    await using agent = disposable(createGuardedAgent({ allowed: new Set(), resolve }));
    const error = await request('http://source.example/', { dispatcher: agent.agent }).catch(reasonOf);
    expect(error).toBeInstanceOf(ForbiddenAddress);
  }
});

test('a name that changes its address after it was checked is connected to where it was checked', async () => {
  const answers = ['8.8.8.8', '127.0.0.1'];
  const resolve = async () => [{ address: answers.length > 1 ? (answers.shift() ?? '') : '127.0.0.1', family: 4 }];
  await using agent = disposable(createGuardedAgent({ allowed: new Set([server.address]), resolve }));
  const port = server.address.split(':')[1];
  const error = await request(`http://source.example:${port}/`, { dispatcher: agent.agent }).catch(reasonOf);
  expect(error).toBeInstanceOf(ForbiddenAddress);
  expect(server.requests).toHaveLength(0);
});

test('only an address that is allowed with its port is reached although it is not public', async () => {
  await using allowed = disposable(createGuardedAgent({ allowed: new Set([server.address]) }));
  expect((await request(server.url, { dispatcher: allowed.agent })).statusCode).toBe(200);
  await using other = disposable(createGuardedAgent({ allowed: new Set(['127.0.0.1:1']) }));
  const error = await request(server.url, { dispatcher: other.agent }).catch(reasonOf);
  expect(error).toBeInstanceOf(ForbiddenAddress);
  expect(error).toMatchObject({
    message: `${server.address} is not public and not in CES_ACQUISITION_ALLOWED_ADDRESSES`,
  });
});

test('a public address is refused on other ports than 80 and 443', async () => {
  await using agent = disposable(createGuardedAgent({ allowed: new Set() }));
  const error = await request('http://8.8.8.8:22/', { dispatcher: agent.agent }).catch(reasonOf);
  expect(error).toMatchObject({ message: 'the port is neither 80 nor 443' });
});

describe('through a proxy', () => {
  const resolveTo =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

  test('a source is asked for at the address that was checked, and spoken to under its name', async () => {
    await using proxy = await startProxy();
    const resolve = resolveTo('127.0.0.1');
    await using agent = disposable(
      createGuardedAgent({ allowed: new Set([server.address]), resolve, proxy: proxy.url }),
    );
    const { port } = new URL(server.url);
    const { statusCode, body } = await request(`http://source.example:${port}/`, { dispatcher: agent.agent });
    expect([statusCode, await body.text()]).toEqual([200, 'reached']);
    expect(proxy.asked).toEqual([server.address]);
    expect(server.requests.at(-1)?.headers.host).toBe(`source.example:${port}`);
  });

  test('TLS is spoken with the host, under its name', async () => {
    await using proxy = await startProxy('nowhere');
    await using agent = disposable(
      createGuardedAgent({ allowed: new Set(), resolve: resolveTo('8.8.8.8'), proxy: proxy.url }),
    );
    await request('https://source.example/', { dispatcher: agent.agent }).catch(() => undefined);
    expect(proxy.asked).toEqual(['8.8.8.8:443']);
    expect(proxy.hello()).toContain('source.example');
  });

  test('a name with a forbidden address is refused before the proxy is asked', async () => {
    await using proxy = await startProxy();
    for (const addresses of [['10.0.0.1'], ['8.8.8.8', '169.254.169.254'], []]) {
      const resolve = resolveTo(...addresses);
      await using agent = disposable(createGuardedAgent({ allowed: new Set(), resolve, proxy: proxy.url }));
      const error = await request('https://source.example/', { dispatcher: agent.agent }).catch(reasonOf);
      expect(error).toBeInstanceOf(ForbiddenAddress);
    }
    expect(proxy.asked).toEqual([]);
  });

  test('a proxy that refuses or is not there fails the request', async () => {
    await using proxy = await startProxy('refuse');
    const resolve = resolveTo('8.8.8.8');
    await using refused = disposable(createGuardedAgent({ allowed: new Set(), resolve, proxy: proxy.url }));
    await expect(request('http://source.example/', { dispatcher: refused.agent })).rejects.toThrow(/403/);
    await using absent = disposable(createGuardedAgent({ allowed: new Set(), resolve, proxy: 'http://127.0.0.1:1' }));
    await expect(request('http://source.example/', { dispatcher: absent.agent })).rejects.toThrow(/ECONNREFUSED/);
  });
});

function disposable(agent: ReturnType<typeof createGuardedAgent>) {
  return { agent, [Symbol.asyncDispose]: () => agent.destroy() };
}
