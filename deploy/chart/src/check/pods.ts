import type { Manifest } from './render.ts';

const COMPONENT = 'app.kubernetes.io/component';

interface Container {
  readonly name: string;
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string } };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly securityContext?: Readonly<Record<string, unknown>>;
}

export interface TokenSource {
  readonly audience?: string;
  readonly expirationSeconds?: number;
  readonly path: string;
}

export interface Pod {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly containers: readonly Container[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly path: string }[] };
    readonly projected?: { readonly sources: readonly { readonly serviceAccountToken?: TokenSource }[] };
  }[];
}

export interface Peer {
  readonly podSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

export interface Policy {
  readonly podSelector: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly {
    readonly from?: readonly Peer[];
    readonly ports?: readonly { readonly port: number }[];
  }[];
  readonly egress?: readonly { readonly to?: readonly Peer[]; readonly ports?: readonly { readonly port: number }[] }[];
}

export function componentOf({ metadata }: Pick<Manifest, 'metadata'>): string | undefined {
  return metadata.labels?.[COMPONENT];
}

/** The component that a selector selects. */
export function selectedBy(selector: Peer['podSelector']): string | undefined {
  return selector?.matchLabels?.[COMPONENT];
}

/** The pod of a Deployment, a Job or a Pod. */
export function podIn({ kind, spec }: Manifest): Pod {
  return (kind === 'Pod' ? spec : spec?.template && (spec.template as { spec: unknown }).spec) as Pod;
}

export function podOf(component: string, manifests: readonly Manifest[]): Pod | undefined {
  const owner = manifests.find((one) => one.kind === 'Deployment' && componentOf(one) === component);
  return owner && podIn(owner);
}

export function difference(one: Iterable<string>, other: Iterable<string>): string[] {
  const others = new Set(other);
  return [...one].filter((item) => !others.has(item));
}
