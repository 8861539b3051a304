import { ALL, always, type Case, DENY_IN, inside, named, notNs, ns, one, onlyToA, pod, toA } from '../case.ts';

/** What incoming rules open and close. */
export const INGRESS: readonly Case[] = [
  one(
    "support a 'default-deny-ingress' policy",
    () => ({ 'x/deny': DENY_IN }),
    ({ to }) => !inside(to, 'x'),
  ),
  one(
    'allow traffic from pods within server namespace based on PodSelector',
    () => toA({ from: [{ podSelector: pod('b') }] }),
    onlyToA(({ from }) => from === 'x/b'),
  ),
  one(
    'allow ingress traffic for a target, beside a policy that denies all',
    () => ({ 'x/deny': DENY_IN, ...toA({}) }),
    ({ to }) => !inside(to, 'x') || to === 'x/a',
  ),
  one('allow ingress traffic from pods in all namespaces', () => toA({ from: [{ namespaceSelector: ALL }] }), always),
  one(
    'allow traffic only from a different namespace, based on NamespaceSelector',
    () => toA({ from: [{ namespaceSelector: ns('y') }] }),
    onlyToA(({ from }) => inside(from, 'y')),
  ),
  one(
    'based on PodSelector with MatchExpressions',
    () => toA({ from: [{ podSelector: { matchExpressions: [{ key: 'pod', operator: 'In', values: ['b'] }] } }] }),
    onlyToA(({ from }) => from === 'x/b'),
  ),
  one(
    'based on NamespaceSelector with MatchExpressions',
    () => toA({ from: [{ namespaceSelector: { matchExpressions: [{ key: 'ns', operator: 'In', values: ['y'] }] } }] }),
    onlyToA(({ from }) => inside(from, 'y')),
  ),
  one(
    'based on PodSelector or NamespaceSelector',
    () => toA({ from: [{ namespaceSelector: notNs('x') }, { podSelector: pod('b') }] }),
    onlyToA(({ from }) => !inside(from, 'x') || from === 'x/b'),
  ),
  one(
    'based on PodSelector and NamespaceSelector',
    () => toA({ from: [{ namespaceSelector: notNs('x'), podSelector: pod('b') }] }),
    onlyToA(({ from }) => !inside(from, 'x') && named(from, 'b')),
  ),
  one(
    'based on Multiple PodSelectors and NamespaceSelectors',
    () => toA({ from: [{ namespaceSelector: notNs('x'), podSelector: pod('b', 'c') }] }),
    onlyToA(({ from }) => !inside(from, 'x') && named(from, 'b', 'c')),
  ),
  one(
    'based on any PodSelectors',
    () => toA({ from: [{ podSelector: pod('b') }, { podSelector: pod('c') }] }),
    onlyToA(({ from }) => from === 'x/b' || from === 'x/c'),
  ),
  one(
    'only from a pod in a different namespace based on PodSelector and NamespaceSelector',
    () => toA({ from: [{ namespaceSelector: ns('y'), podSelector: pod('a') }] }),
    onlyToA(({ from }) => from === 'y/a'),
  ),
  one(
    'based on Ports',
    () => toA({ from: [{ namespaceSelector: ns('y') }], ports: [{ protocol: 'TCP', port: 81 }] }),
    onlyToA(({ from, port, protocol }) => inside(from, 'y') && port === 81 && protocol === 'tcp'),
  ),
  one(
    'multiple, stacked policies with overlapping podSelectors',
    () => ({
      ...toA({ from: [{ namespaceSelector: ns('y') }], ports: [{ protocol: 'TCP', port: 81 }] }),
      'x/second': {
        podSelector: pod('a', 'b'),
        policyTypes: ['Ingress'],
        ingress: [{ from: [{ namespaceSelector: ns('y') }], ports: [{ protocol: 'TCP', port: 80 }] }],
      },
    }),
    ({ from, to, port, protocol }) => {
      if (to === 'x/a') return inside(from, 'y') && protocol === 'tcp';
      if (to === 'x/b') return inside(from, 'y') && protocol === 'tcp' && port === 80;
      return true;
    },
  ),
  one(
    'support allow-all policy',
    () => ({ 'x/allow': { podSelector: ALL, policyTypes: ['Ingress'], ingress: [{}] } }),
    always,
  ),
  one(
    'allow ingress access on one named port',
    () => toA({ ports: [{ protocol: 'TCP', port: 'serve-81-tcp' }] }),
    onlyToA(({ port, protocol }) => port === 81 && protocol === 'tcp'),
  ),
  one(
    'allow ingress access from namespace on one named port',
    () => toA({ from: [{ namespaceSelector: ns('y') }], ports: [{ protocol: 'TCP', port: 'serve-80-tcp' }] }),
    onlyToA(({ from, port, protocol }) => inside(from, 'y') && port === 80 && protocol === 'tcp'),
  ),
  one(
    'deny ingress from pods on other namespaces',
    () => ({ 'x/own': { podSelector: ALL, policyTypes: ['Ingress'], ingress: [{ from: [{ podSelector: ALL }] }] } }),
    ({ from, to }) => !inside(to, 'x') || inside(from, 'x'),
  ),
  one(
    'ingress policy allowing any port traffic to a server on a specific protocol',
    () => toA({ ports: [{ protocol: 'UDP' }] }),
    onlyToA(({ protocol }) => protocol === 'udp'),
  ),
  one(
    'multiple ingress policies with ingress allow-all policy taking precedence',
    () => ({ 'x/deny': DENY_IN, 'x/allow': { podSelector: ALL, policyTypes: ['Ingress'], ingress: [{}] } }),
    always,
  ),
  one(
    'ingress from a CIDR block with except',
    (ip) => toA({ from: [{ ipBlock: { cidr: '10.244.0.0/16', except: [`${ip('z/c')}/32`, `${ip('x/b')}/32`] } }] }),
    onlyToA(({ from }) => from !== 'z/c' && from !== 'x/b'),
  ),
  one(
    "not mistakenly treat 'protocol: SCTP' as 'protocol: TCP'",
    () => toA({ ports: [{ protocol: 'SCTP', port: 81 }] }),
    onlyToA(() => false),
  ),
  one(
    'properly isolate pods that are selected by a policy allowing SCTP',
    () => toA({ ports: [{ protocol: 'SCTP', port: 80 }] }, { ports: [{ protocol: 'TCP', port: 80 }] }),
    onlyToA(({ port, protocol }) => port === 80 && protocol === 'tcp'),
  ),
  one(
    'not allow access by TCP when a policy specifies only UDP',
    () => toA({ ports: [{ protocol: 'UDP', port: 81 }] }),
    onlyToA(({ port, protocol }) => port === 81 && protocol === 'udp'),
  ),
  one(
    'NamespaceSelector with MatchLabels using default ns label',
    () => toA({ from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'y' } } }] }),
    onlyToA(({ from }) => inside(from, 'y')),
  ),
  one(
    'NamespaceSelector with MatchExpressions using default ns label',
    () =>
      toA({
        from: [
          {
            namespaceSelector: {
              matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['y'] }],
            },
          },
        ],
      }),
    onlyToA(({ from }) => !inside(from, 'y')),
  ),
  one(
    'a range of ports that holds both',
    () => toA({ ports: [{ protocol: 'TCP', port: 79, endPort: 90 }] }),
    onlyToA(({ protocol }) => protocol === 'tcp'),
  ),
  one(
    'pods that have a label, and pods that lack it',
    () =>
      toA(
        {
          from: [
            {
              podSelector: {
                matchExpressions: [
                  { key: 'pod', operator: 'Exists' },
                  { key: 'pod', operator: 'NotIn', values: ['b'] },
                ],
              },
            },
          ],
        },
        {
          from: [
            {
              namespaceSelector: ns('z'),
              podSelector: { matchExpressions: [{ key: 'pod', operator: 'DoesNotExist' }] },
            },
          ],
        },
      ),
    onlyToA(({ from }) => inside(from, 'x') && named(from, 'a', 'c')),
  ),
  one(
    'an empty list of peers allows everybody, an empty list of rules nobody',
    () => ({
      ...toA({ from: [], ports: [] }),
      'y/nobody': { podSelector: pod('a'), policyTypes: ['Ingress'], ingress: [] },
    }),
    ({ to }) => to !== 'y/a',
  ),
];
