import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Reply, startFakeGateway } from '../../test-support/fake-gateway.ts';
import { ces } from '../../test-support/fake-stack.ts';
import { openTerminal } from '../../test-support/terminal.ts';

const KEY = 'ces_live_0123456789';
const USAGE = {
  id: 1,
  status: 'delivered',
  request_key: 'k',
  request_units: 0,
  delivered_units: 0,
  fresh_evidence_units: 0,
};
const GOOD: Reply = {
  status: 200,
  body: {
    status: 'ok',
    subscription: { plan: 'builder', status: 'active' },
    usage: USAGE,
    request_allowance: { window_seconds: 1, window_remaining: 1, weekly_remaining: 1 },
  },
};
const refused = (status: number, code: string): Reply => ({ status, body: { error: { code, message: 'Refused.' } } });

let home: string;
let file: string;

beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'ces-login-'));
  file = path.join(home, 'ces/credentials.json');
});
afterEach(async () => await rm(home, { recursive: true, force: true }));

const envOf = (more: NodeJS.ProcessEnv = {}) => ({ XDG_CONFIG_HOME: home, CES_DATA_DIR: '/nonexistent', ...more });
const piped = (text: string) => ({ stdin: Object.assign(Readable.from([text]), { isTTY: false }) });

test('a key from standard input is checked free of charge, stored with mode 0600 and used for its address', async () => {
  await using gateway = await startFakeGateway(() => GOOD);
  const { exitCode, stdout } = await ces(['login', `${gateway.url}/`], envOf(), piped(`${KEY}\n`));
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('plan builder, active')]);
  expect(stdout).not.toContain(KEY);
  expect(gateway.calls[0]).toMatchObject({ path: '/api/diagnostics', headers: { authorization: `Bearer ${KEY}` } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
  await ces(['usages'], envOf());
  await ces(['usages'], envOf({ CES_GATEWAY_URL: `${gateway.url}//` }));
  expect(gateway.calls.slice(1).map(({ path: at, headers }) => [at, headers.authorization])).toEqual(
    Array(2).fill(['/api/usages', `Bearer ${KEY}`]),
  );
});

test('each address has its own key: none is sent to another address', async () => {
  await using one = await startFakeGateway(() => GOOD);
  await using other = await startFakeGateway(() => GOOD);
  await ces(['login', one.url], envOf(), piped(KEY));
  const { stderr } = await ces(['usage'], envOf({ CES_GATEWAY_URL: other.url }));
  expect(stderr).toContain(`There is no API key for ${other.url}: run npx ces login`);
  await ces(['login'], envOf({ CES_GATEWAY_URL: other.url }), piped('ces_live_other'));
  await ces(['usages'], envOf({ CES_GATEWAY_URL: one.url }));
  expect(one.calls.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    current: other.url,
    keys: { [one.url]: KEY, [other.url]: 'ces_live_other' },
  });
});

test('CES_TOKEN and --as go before a stored key', async () => {
  await using gateway = await startFakeGateway(() => GOOD);
  await ces(['login', gateway.url], envOf(), piped(KEY));
  await ces(['usages'], envOf({ CES_TOKEN: 'ces_live_env' }));
  expect(gateway.calls.at(-1)?.headers.authorization).toBe('Bearer ces_live_env');
});

test('a terminal is asked, and the typed key is not shown', async () => {
  await using gateway = await startFakeGateway(() => GOOD);
  const terminal = openTerminal();
  let shown = '';
  terminal.stderr.on('data', (chunk) => {
    shown += chunk;
  });
  const ended = ces(['login', gateway.url], envOf(), terminal);
  await terminal.answer(`API key for ${gateway.url}`, `${KEY}\r`);
  expect(await ended).toMatchObject({ exitCode: 0 });
  expect(shown).not.toContain(KEY);
  expect(JSON.parse(await readFile(file, 'utf8')).keys).toEqual({ [gateway.url]: KEY });
});

test('the command line takes no key', async () => {
  await using gateway = await startFakeGateway(() => GOOD);
  for (const argv of [
    ['login', KEY],
    ['login', gateway.url, KEY],
    ['login', '--key', KEY],
  ])
    expect(await ces(argv, envOf(), piped(KEY))).toMatchObject({ exitCode: 2, stdout: '' });
  expect(gateway.calls).toEqual([]);
  await expect(readdir(home)).resolves.toEqual([]);
});

test.each([
  ['a refused key', refused(401, 'invalid_api_key'), 'refuses this key, so it is not stored'],
  ['a gateway with a fault', refused(422, 'invalid_request'), 'Refused. (invalid_request)'],
])('%s is not stored', async (_what, reply, sentence) => {
  await using gateway = await startFakeGateway(() => reply);
  const { exitCode, stderr } = await ces(['login', gateway.url], envOf(), piped(KEY));
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  expect(stderr).not.toContain(KEY);
  await expect(readdir(home)).resolves.toEqual([]);
});

test('a key whose subscription has lapsed is good', async () => {
  await using gateway = await startFakeGateway(() => refused(402, 'subscription_required'));
  const { stdout } = await ces(['login', gateway.url], envOf(), piped(KEY));
  expect(stdout).toContain('but its subscription is not active');
});

test.each([
  ['nothing', '', 2],
  ['two words', 'ces_live_a ces_live_b', 1],
  ['a whole file', 'x'.repeat(2_000), 1],
])('%s on standard input is no key', async (_what, text, exitCode) => {
  await using gateway = await startFakeGateway(() => GOOD);
  expect(await ces(['login', gateway.url], envOf(), piped(text))).toMatchObject({ exitCode });
  expect(gateway.calls).toEqual([]);
});

test('a file that others may read, or that is damaged, is refused with what to do', async () => {
  await using gateway = await startFakeGateway(() => GOOD);
  await ces(['login', gateway.url], envOf(), piped(KEY));
  await chmod(file, 0o644);
  expect((await ces(['usages'], envOf())).stderr).toContain(`run chmod 600 ${file}.`);
  await chmod(file, 0o600);
  await writeFile(file, '{');
  expect((await ces(['usages'], envOf())).stderr).toContain('delete it, then run npx ces login again');
  expect(gateway.calls).toHaveLength(1);
});

test('logout deletes the key of its address only', async () => {
  await using gateway = await startFakeGateway(() => GOOD);
  await using other = await startFakeGateway(() => GOOD);
  await ces(['login', other.url], envOf(), piped(KEY));
  await ces(['login', gateway.url], envOf(), piped(KEY));
  expect((await ces(['logout', gateway.url], envOf())).stdout).toContain('It stays valid until it is revoked.');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ keys: { [other.url]: KEY } });
  expect(await ces(['logout', gateway.url], envOf())).toMatchObject({
    exitCode: 1,
    stderr: `ces: No key is stored for ${gateway.url}.\n`,
  });
});

test('without a home folder there is no place for a key', async () => {
  const { stderr } = await ces(['login', 'http://127.0.0.1:9'], { CES_DATA_DIR: '/nonexistent' }, piped(KEY));
  expect(stderr).toContain('set HOME, or use CES_TOKEN');
});
