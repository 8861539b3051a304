/** What the rules are made of, as far as they need it: parts of the objects of the API of Kubernetes. */
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
  /** Default TCP. */
  readonly protocol?: string;
  /** A number, or the name of a port of the pod that is called. */
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

/** Everything that policies look at. */
export interface ClusterState {
  readonly namespaces: readonly Namespace[];
  readonly pods: readonly Pod[];
  readonly policies: readonly NetworkPolicy[];
}

/** Whether labels are those that are selected; a selector without terms selects all. */
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
