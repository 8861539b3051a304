import { expect, test } from 'vitest';
import type { NetworkPolicy, Pod } from './objects.ts';
import { rulesOf } from './rules.ts';

const namespaces = [{ metadata: { name: 'x' } }, { metadata: { name: 'y', labels: { ns: 'y' } } }];
const pod = (namespace: string, name: string, podIP: string, more: object = {}): Pod => ({
  metadata: { namespace, name, labels: { pod: name } },
  spec: { containers: [{ ports: [{ name: 'calls', containerPort: 81 }] }] },
  status: { phase: 'Running', podIP },
  ...more,
});
const policy = (spec: NetworkPolicy['spec']): NetworkPolicy => ({ metadata: { namespace: 'x', name: 'policy' }, spec });

function linesOf(pods: readonly Pod[], ...policies: readonly NetworkPolicy[]): string[] {
  return rulesOf({ namespaces, pods, policies }, '10.244.0.0/24').split('\n');
}

test('a pod that no policy selects has no chain, one that is selected refuses what is not allowed', () => {
  const pods = [pod('x', 'a', '10.244.0.2'), pod('y', 'b', '10.244.0.3')];
  const lines = linesOf(pods, policy({ podSelector: { matchLabels: { pod: 'a' } } }));
  expect(lines).toContain('elements = { 10.244.0.2 : jump ingress-0 }');
  const chain = lines.indexOf('chain ingress-0 {');
  expect(lines.slice(chain + 1, chain + 4)).toEqual(['ip saddr 10.244.0.2 return', 'reject', '}']);
  expect(lines.filter((line) => line.startsWith('chain egress-'))).toEqual([]);
});

test('a port by its name is that of whoever is called, and one that nobody has opens nothing', () => {
  const pods = [pod('x', 'a', '10.244.0.2'), pod('y', 'b', '10.244.0.3')];
  const to = [{ namespaceSelector: { matchLabels: { ns: 'y' } } }];
  const egress = [{ to, ports: [{ port: 'calls' }, { port: 'unknown' }] }];
  const lines = linesOf(pods, policy({ policyTypes: ['Egress'], egress }));
  const chain = lines.indexOf('chain egress-0 {');
  expect(lines.slice(chain + 1, chain + 4)).toEqual([
    'ip daddr 10.244.0.2 return',
    'ip daddr 10.244.0.3 tcp dport 81 return',
    'reject',
  ]);
});

test('pods that have ended, have no address or use that of the node are not known', () => {
  const host = pod('x', 'host', '10.88.0.1', { spec: { hostNetwork: true, containers: [] } });
  const ended = pod('x', 'ended', '10.244.0.9', { status: { phase: 'Succeeded', podIP: '10.244.0.9' } });
  const waiting = pod('x', 'waiting', '', { status: { phase: 'Pending' } });
  const lines = linesOf([host, ended, waiting, pod('x', 'a', '10.244.0.2')]);
  expect(lines).toContain('elements = { 10.244.0.2, 10.244.0.1 }');
  expect(lines).toContain('ip saddr 10.244.0.0/24 ip saddr != @known drop');
});
