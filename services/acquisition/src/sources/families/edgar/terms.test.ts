import { expect, test } from 'vitest';
import { sources } from '../../registry.ts';

test('all sources of EDGAR together ask at most ten times a second, each under a contact', () => {
  const edgar = sources.filter(({ hosts }) => hosts.some((host) => host.endsWith('.sec.gov')));
  const fastest = new Map<string, number>();
  for (const { hosts, politeness } of edgar)
    for (const host of hosts) fastest.set(host, Math.max(fastest.get(host) ?? 0, politeness.requestsPerSecond));
  expect(edgar.map(({ name }) => name)).toEqual(['sec_8k', 'sec_form_d', 'sec_profiles']);
  expect([...fastest.values()].reduce((sum, rate) => sum + rate)).toBeLessThanOrEqual(10);
  for (const { settings } of edgar) expect(settings).toMatchObject([{ name: 'contact', required: true }]);
});
