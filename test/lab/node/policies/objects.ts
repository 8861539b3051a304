export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Labels;
}

export type Labels = Readonly<Record<string, string>>;

export interface Namespace {
  readonly metadata: Metadata;
}

export interface Pod {
  readonly metadata: Metadata;
  readonly spec: {
    readonly hostNetwork?: boolean;
    readonly containers: readonly {
      readonly ports?: readonly {
        readonly name?: string;
        readonly containerPort: number;
        readonly protocol?: string;
      }[];
    }[];
  };
  readonly status?: { readonly phase?: string; readonly podIP?: string };
}

export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

export interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

export interface Port {
  readonly protocol?: string;
  /** A number, or a named port of the destination pod. */
  readonly port?: number | string;
  readonly endPort?: number;
}

export interface NetworkPolicy {
  readonly metadata: Metadata;
  readonly spec: {
    readonly podSelector?: Selector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly { readonly from?: readonly Peer[]; readonly ports?: readonly Port[] }[];
    readonly egress?: readonly { readonly to?: readonly Peer[]; readonly ports?: readonly Port[] }[];
  };
}

export interface ClusterState {
  readonly namespaces: readonly Namespace[];
  readonly pods: readonly Pod[];
  readonly policies: readonly NetworkPolicy[];
}

/** Whether a selector matches the labels. An empty selector matches all. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels = {}): boolean {
  const isEqual = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return isEqual && matchExpressions.every((term) => holds(term, labels));
}

function holds(
  { key, operator, values = [] }: NonNullable<Selector['matchExpressions']>[number],
  labels: Labels,
): boolean {
  const value = labels[key];
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  if (operator === 'In') return value !== undefined && values.includes(value);
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  throw new Error(`${operator} is no operator of a selector`);
}
