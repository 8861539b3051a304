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
export type Spec = NetworkPolicy['spec'];

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

export const ALL = {};
export const pod = (...names: string[]): Selector =>
  names.length === 1
    ? { matchLabels: { pod: names[0] ?? '' } }
    : { matchExpressions: [{ key: 'pod', operator: 'In', values: names }] };
export const ns = (name: string): Selector => ({ matchLabels: { ns: name } });
export const notNs = (name: string): Selector => ({
  matchExpressions: [{ key: 'ns', operator: 'NotIn', values: [name] }],
});
export const inside = (name: PodName, namespace: string) => name.startsWith(`${namespace}/`);
export const named = (name: PodName, ...pods: string[]) => pods.includes(name.slice(2));
export const always = () => true;

/** One policy in x for pods named a, for incoming calls. */
export const toA = (...ingress: NonNullable<Spec['ingress']>) => ({
  'x/policy': { podSelector: pod('a'), policyTypes: ['Ingress'], ingress } as Spec,
});
/** The same for outgoing calls. */
export const fromA = (...egress: NonNullable<Spec['egress']>) => ({
  'x/policy': { podSelector: pod('a'), policyTypes: ['Egress'], egress } as Spec,
});
/** Calls to x/a arrive from where `isOpen` says; all others arrive. */
export const onlyToA = (isOpen: (call: Call) => boolean) => (call: Call) => call.to !== 'x/a' || isOpen(call);
export const onlyFromA = (isOpen: (call: Call) => boolean) => (call: Call) => call.from !== 'x/a' || isOpen(call);
export const DENY_IN: Spec = { podSelector: ALL, policyTypes: ['Ingress'] };
export const DENY_OUT: Spec = { podSelector: ALL, policyTypes: ['Egress'] };
export const one = (name: string, policies: NonNullable<Step['policies']>, open: Step['open']): Case => ({
  name,
  steps: [{ policies, open }],
});
