import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { ConfigurationError } from '@ces/chassis/service/settings';
import { createAuthority } from '@ces/test/support/certificates.ts';
import { MountedSecret } from '@ces/test/support/mounted-secret.ts';
import { expect, test } from 'vitest';
import { startGateway } from '../test-support/gateway.ts';

const NAMES = ['127.0.0.1'];
const authority = await createAuthority();

async function statusOf(url: string, options: https.RequestOptions): Promise<number | undefined> {
  const request = https.get(`${url}/openapi.json`, { ...options, agent: false });
  const [response] = await once(request, 'response');
  await text(response);
  return response.statusCode;
}

async function serialAt(port: number): Promise<string> {
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

test('the public interface speaks TLS with certificates that are renewed, and ends in peace', async () => {
  await using secret = await MountedSecret.create(authority, NAMES);
  const { certFile, keyFile } = secret.files;
  const gateway = await startGateway({}, { config: { publicCertFile: certFile, publicKeyFile: keyFile } });
  expect(gateway.url).toMatch(/^https:/);
  const trusting = { ca: authority.pem };
  expect(await statusOf(gateway.url, trusting)).toBe(200);
  await expect(statusOf(gateway.url, {})).rejects.toThrow(/certificate/);
  await expect(fetch(gateway.url.replace('https:', 'http:'))).rejects.toThrow();
  const before = await serialAt(gateway.port);
  const agent = new https.Agent({ keepAlive: true, ca: authority.pem });
  const kept = https.get(`${gateway.url}/openapi.json`, { agent });
  const [response] = await once(kept, 'response');
  await text(response);
  await secret.replace(authority, authority.pem);
  await expect.poll(() => serialAt(gateway.port)).not.toBe(before);
  expect(await statusOf(gateway.url, trusting)).toBe(200);
  await gateway[Symbol.asyncDispose]();
  agent.destroy();
});

test('with an authority for those who connect, the proxy before it shows a certificate', async () => {
  await using secret = await MountedSecret.create(authority, NAMES);
  const { certFile, keyFile, caFile } = secret.files;
  const config = { publicCertFile: certFile, publicKeyFile: keyFile, publicClientCaFile: caFile };
  await using gateway = await startGateway({}, { config });
  const [cert, key] = [await readFile(certFile), await readFile(keyFile)];
  expect(await statusOf(gateway.url, { ca: authority.pem, cert, key })).toBe(200);
  await expect(statusOf(gateway.url, { ca: authority.pem })).rejects.toThrow(/certificate|ECONNRESET|hang up/);
});

test('half a configuration is one sentence at the start', async () => {
  const config = { publicCertFile: '/gone' };
  await expect(startGateway({}, { config })).rejects.toThrow(ConfigurationError);
  await expect(startGateway({}, { config })).rejects.toThrow('CES_PUBLIC_CERT_FILE and CES_PUBLIC_KEY_FILE');
});
