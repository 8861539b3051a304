import type { Labels, NetworkPolicy, Selector } from './objects.ts';

/** A pod as `x/a`: three namespaces x, y, z with three pods a, b, c each, labelled `ns` and `pod`. */
export type PodName = `${(typeof NAMESPACES)[number]}/${(typeof PODS)[number]}`;
export const NAMESPACES = ['x', 'y', 'z'] as const;
export const PODS = ['a', 'b', 'c'] as const;
/** Each pod answers on both, over TCP and UDP; the port 80 of TCP has the name `serve-80-tcp`, and so on. */
export const PORTS = [80, 81] as const;
export const PROTOCOLS = ['tcp', 'udp'] as const;

/** One call that is tried. */
export interface Call {
  readonly from: PodName;
  readonly to: PodName;
  readonly port: number;
  readonly protocol: (typeof PROTOCOLS)[number];
}

type AddressOf = (pod: PodName) => string;
type Spec = NetworkPolicy['spec'];

export interface Step {
  /** In place of those before, by name as `x/name`. */
  readonly policies?: (addressOf: AddressOf) => Readonly<Record<string, Spec>>;
  /** Labels of pods and namespaces that change. */
  readonly labels?: Readonly<Record<string, Labels>>;
  /** Whether a call to another pod arrives once this is in force. */
  readonly open: (call: Call) => boolean;
}

export interface Case {
  /** As the conformance tests of Kubernetes for policies (test/e2e/network/netpol) call it, or what they lack. */
  readonly name: string;
  readonly steps: readonly Step[];
}

const ALL = {};
const pod = (...names: string[]): Selector =>
  names.length === 1
    ? { matchLabels: { pod: names[0] ?? '' } }
    : { matchExpressions: [{ key: 'pod', operator: 'In', values: names }] };
const ns = (name: string): Selector => ({ matchLabels: { ns: name } });
const notNs = (name: string): Selector => ({
  matchExpressions: [{ key: 'ns', operator: 'NotIn', values: [name] }],
});
const inside = (name: PodName, namespace: string) => name.startsWith(`${namespace}/`);
const named = (name: PodName, ...pods: string[]) => pods.includes(name.slice(2));
const always = () => true;

/** One policy in x for pods named a, for incoming calls. */
const toA = (...ingress: NonNullable<Spec['ingress']>) => ({
  'x/policy': { podSelector: pod('a'), policyTypes: ['Ingress'], ingress } as Spec,
});
/** The same for outgoing calls. */
const fromA = (...egress: NonNullable<Spec['egress']>) => ({
  'x/policy': { podSelector: pod('a'), policyTypes: ['Egress'], egress } as Spec,
});
/** Calls to x/a arrive from where `isOpen` says; all others arrive. */
const onlyToA = (isOpen: (call: Call) => boolean) => (call: Call) => call.to !== 'x/a' || isOpen(call);
const onlyFromA = (isOpen: (call: Call) => boolean) => (call: Call) => call.from !== 'x/a' || isOpen(call);
const DENY_IN: Spec = { podSelector: ALL, policyTypes: ['Ingress'] };
const DENY_OUT: Spec = { podSelector: ALL, policyTypes: ['Egress'] };
const one = (name: string, policies: NonNullable<Step['policies']>, open: Step['open']): Case => ({
  name,
  steps: [{ policies, open }],
});

/** What an engine that enforces policies does, each seen in all calls between nine pods on two ports over two protocols. */
export const CASES: readonly Case[] = [
  one('no policy: everything is open', () => ({}), always),
  one(
    "support a 'default-deny-ingress' policy",
    () => ({ 'x/deny': DENY_IN }),
    ({ to }) => !inside(to, 'x'),
  ),
  one(
    "support a 'default-deny-all' policy",
    () => ({ 'x/deny': { podSelector: ALL, policyTypes: ['Ingress', 'Egress'] } }),
    ({ from, to }) => !inside(from, 'x') && !inside(to, 'x'),
  ),
  one(
    "a 'default-deny-egress' policy",
    () => ({ 'x/deny': DENY_OUT }),
    ({ from }) => !inside(from, 'x'),
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
    'allow egress access on one named port',
    () => fromA({ ports: [{ protocol: 'TCP', port: 'serve-80-tcp' }] }),
    onlyFromA(({ port, protocol }) => port === 80 && protocol === 'tcp'),
  ),
  one(
    'egress to chosen pods on a named port',
    () => fromA({ to: [{ namespaceSelector: ns('z') }], ports: [{ protocol: 'UDP', port: 'serve-81-udp' }] }),
    onlyFromA(({ to, port, protocol }) => inside(to, 'z') && port === 81 && protocol === 'udp'),
  ),
  {
    name: 'enforce updated policy',
    steps: [
      { policies: () => toA({}), open: always },
      { policies: () => toA(), open: onlyToA(() => false) },
    ],
  },
  {
    name: 'allow ingress access from updated namespace',
    steps: [
      {
        policies: () => toA({ from: [{ namespaceSelector: { matchLabels: { late: 'yes' } } }] }),
        open: onlyToA(() => false),
      },
      { labels: { y: { late: 'yes' } }, open: onlyToA(({ from }) => inside(from, 'y')) },
    ],
  },
  {
    name: 'allow ingress access from updated pod',
    steps: [
      {
        policies: () => toA({ from: [{ podSelector: { matchLabels: { late: 'yes' } } }] }),
        open: onlyToA(() => false),
      },
      { labels: { 'x/b': { late: 'yes' } }, open: onlyToA(({ from }) => from === 'x/b') },
    ],
  },
  one(
    'deny ingress from pods on other namespaces',
    () => ({ 'x/own': { podSelector: ALL, policyTypes: ['Ingress'], ingress: [{ from: [{ podSelector: ALL }] }] } }),
    ({ from, to }) => !inside(to, 'x') || inside(from, 'x'),
  ),
  {
    name: 'deny ingress access to updated pod',
    steps: [
      {
        policies: () => ({
          'x/late': { podSelector: { matchLabels: { target: 'isolated' } }, policyTypes: ['Ingress'] },
        }),
        open: always,
      },
      { labels: { 'x/a': { target: 'isolated' } }, open: onlyToA(() => false) },
    ],
  },
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
  {
    name: 'work with Ingress, Egress specified together',
    steps: [80, 81].map((allowed) => ({
      policies: () => ({
        'x/both': {
          podSelector: pod('a'),
          policyTypes: ['Ingress', 'Egress'],
          ingress: [{ from: [{ podSelector: pod('b') }] }],
          egress: [{ ports: [{ protocol: 'TCP', port: allowed }] }],
        } as Spec,
      }),
      open: ({ from, to, port, protocol }: Call) =>
        (to !== 'x/a' || from === 'x/b') && (from !== 'x/a' || (port === allowed && protocol === 'tcp')),
    })),
  },
  one(
    'denying of egress traffic on the client side (even if the server explicitly allows this traffic)',
    () => ({
      ...fromA({ to: [{ namespaceSelector: ns('y'), podSelector: pod('a') }] }),
      'y/in': {
        podSelector: ALL,
        policyTypes: ['Ingress'],
        ingress: [{ from: [{ namespaceSelector: ns('x'), podSelector: pod('a') }] }],
      },
    }),
    ({ from, to }) => (from !== 'x/a' || to === 'y/a') && (!inside(to, 'y') || from === 'x/a'),
  ),
  one(
    'egress policy allowing traffic to a server in a different namespace based on PodSelector and NamespaceSelector',
    () => fromA({ to: [{ namespaceSelector: ns('y'), podSelector: pod('a') }] }),
    onlyFromA(({ to }) => to === 'y/a'),
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
    'multiple egress policies with egress allow-all policy taking precedence',
    () => ({ 'x/deny': DENY_OUT, 'x/allow': { podSelector: ALL, policyTypes: ['Egress'], egress: [{}] } }),
    always,
  ),
  {
    name: 'stop enforcing policies after they are deleted',
    steps: [
      {
        policies: () => ({ 'x/deny': { podSelector: ALL, policyTypes: ['Ingress', 'Egress'] } }),
        open: ({ from, to }) => !inside(from, 'x') && !inside(to, 'x'),
      },
      { policies: () => ({}), open: always },
    ],
  },
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
    'ingress from a CIDR block with except',
    (ip) => toA({ from: [{ ipBlock: { cidr: '10.244.0.0/16', except: [`${ip('z/c')}/32`, `${ip('x/b')}/32`] } }] }),
    onlyToA(({ from }) => from !== 'z/c' && from !== 'x/b'),
  ),
  {
    name: 'ingress and egress policies can be controlled independently based on PodSelector',
    steps: [
      {
        policies: () => ({
          ...toA({ from: [{ podSelector: pod('b') }] }),
          'x/out': { podSelector: pod('b'), policyTypes: ['Egress'], egress: [{ to: [{ podSelector: pod('a') }] }] },
        }),
        open: ({ from, to }) => (to !== 'x/a' || from === 'x/b') && (from !== 'x/b' || to === 'x/a'),
      },
      {
        policies: () => ({
          ...toA({ from: [{ podSelector: pod('b') }] }),
          'x/out': { podSelector: pod('b'), policyTypes: ['Egress'] },
        }),
        open: ({ from, to }) => to !== 'x/a' && from !== 'x/b',
      },
    ],
  },
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
    'a range of ports that ends before the second',
    () => fromA({ ports: [{ protocol: 'TCP', port: 1, endPort: 80 }] }),
    onlyFromA(({ port, protocol }) => port === 80 && protocol === 'tcp'),
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
  one(
    'types of a policy that says none: ingress, and egress where it has such rules',
    () => ({
      'x/in': { podSelector: pod('a'), ingress: [] },
      'y/both': { podSelector: pod('b'), egress: [{ to: [{ podSelector: pod('c') }] }] },
    }),
    ({ from, to }) => to !== 'x/a' && to !== 'y/b' && (from !== 'y/b' || to === 'y/c'),
  ),
];
