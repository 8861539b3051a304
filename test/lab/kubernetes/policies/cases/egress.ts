import { ALL, always, type Case, DENY_OUT, fromA, inside, ns, one, onlyFromA, pod } from '../case.ts';

/** What outgoing rules open and close. */
export const EGRESS: readonly Case[] = [
  one(
    "a 'default-deny-egress' policy",
    () => ({ 'x/deny': DENY_OUT }),
    ({ from }) => !inside(from, 'x'),
  ),
  one(
    'allow egress access on one named port',
    () => fromA({ ports: [{ protocol: 'TCP', port: 'serve-80-tcp' }] }),
    onlyFromA(({ port, protocol }) => port === 80 && protocol === 'tcp'),
  ),
  one(
    'egress to chosen pods on a named port',
    () => fromA({ to: [{ namespaceSelector: ns('z') }], ports: [{ protocol: 'UDP', port: 'serve-81-udp' }] }),
    onlyFromA(({ to, port, protocol }) => inside(to, 'z') && port === 81 && protocol === 'udp'),
  ),
  one(
    'deny egress from pods based on PodSelector',
    () => fromA(),
    onlyFromA(() => false),
  ),
  one(
    'deny egress from all pods in a namespace',
    () => ({ 'y/deny': DENY_OUT }),
    ({ from }) => !inside(from, 'y'),
  ),
  one(
    'egress policy allowing traffic to a server in a different namespace based on PodSelector and NamespaceSelector',
    () => fromA({ to: [{ namespaceSelector: ns('y'), podSelector: pod('a') }] }),
    onlyFromA(({ to }) => to === 'y/a'),
  ),
  one(
    'multiple egress policies with egress allow-all policy taking precedence',
    () => ({ 'x/deny': DENY_OUT, 'x/allow': { podSelector: ALL, policyTypes: ['Egress'], egress: [{}] } }),
    always,
  ),
  one(
    'allow egress access to server in CIDR block',
    (ip) => fromA({ to: [{ ipBlock: { cidr: `${ip('y/b')}/32` } }] }),
    onlyFromA(({ to }) => to === 'y/b'),
  ),
  one(
    'except clause while egress access to server in CIDR block',
    (ip) => fromA({ to: [{ ipBlock: { cidr: '10.244.0.0/24', except: [`${ip('y/b')}/32`] } }] }),
    onlyFromA(({ to }) => to !== 'y/b'),
  ),
  one(
    'an IP overlapping both IPBlock.CIDR and IPBlock.Except is allowed',
    (ip) => ({
      ...fromA({ to: [{ ipBlock: { cidr: '10.244.0.0/24', except: [`${ip('y/b')}/32`] } }] }),
      'x/more': {
        podSelector: pod('a'),
        policyTypes: ['Egress'],
        egress: [{ to: [{ ipBlock: { cidr: `${ip('y/b')}/32` } }] }],
      },
    }),
    always,
  ),
  one(
    'a range of ports that ends before the second',
    () => fromA({ ports: [{ protocol: 'TCP', port: 1, endPort: 80 }] }),
    onlyFromA(({ port, protocol }) => port === 80 && protocol === 'tcp'),
  ),
];
