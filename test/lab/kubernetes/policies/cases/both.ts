import { ALL, always, type Call, type Case, fromA, inside, ns, one, pod, type Spec } from '../case.ts';

/** Rules of both directions at once, and none. */
export const BOTH: readonly Case[] = [
  one('no policy: everything is open', () => ({}), always),
  one(
    "support a 'default-deny-all' policy",
    () => ({ 'x/deny': { podSelector: ALL, policyTypes: ['Ingress', 'Egress'] } }),
    ({ from, to }) => !inside(from, 'x') && !inside(to, 'x'),
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
    'types of a policy that says none: ingress, and egress where it has such rules',
    () => ({
      'x/in': { podSelector: pod('a'), ingress: [] },
      'y/both': { podSelector: pod('b'), egress: [{ to: [{ podSelector: pod('c') }] }] },
    }),
    ({ from, to }) => to !== 'x/a' && to !== 'y/b' && (from !== 'y/b' || to === 'y/c'),
  ),
];
