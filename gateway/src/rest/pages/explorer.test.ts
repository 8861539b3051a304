import { expect, test } from 'vitest';
import { startGateway } from '../../../test-support/gateway.ts';

test('every screen of the explorer is one page under a policy that lets nothing in from elsewhere', async () => {
  await using gateway = await startGateway({});
  for (const path of ['/explore', '/explore/look-up', '/explore/saved', '/explore/companies/7', '/explore/usage']) {
    const response = await gateway.call(path);
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      200,
      expect.stringContaining('html'),
    ]);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(await response.text()).toContain('<div id="root">');
  }
});

test('an address without a screen is the page that says so, with status 404', async () => {
  await using gateway = await startGateway({});
  const response = await gateway.call('/explore/nowhere');
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('<div id="root">');
});

test('a file that is not in the build is not found, and no page replaces it', async () => {
  await using gateway = await startGateway({});
  const response = await gateway.call('/explore/assets/old-1234.js');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
});
