import type { Manifest } from '@ces/chart/check/render';
import type { KubernetesObject } from '../api.ts';

/** A key of a Secret. */
interface NeededKey {
  readonly secret: string;
  readonly key: string;
}

type PodSpec = KubernetesObject['spec'];

/** Without which the containers of a pod cannot begin. */
export function keysNeededBy(spec: PodSpec): NeededKey[] {
  const env = spec?.containers?.flatMap((container) => container.env ?? []) ?? [];
  const variables = env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []).filter(({ optional }) => !optional);
  const files = (spec?.volumes ?? []).flatMap(({ secret }) =>
    (secret?.items ?? []).map(({ key }) => ({ name: secret?.secretName ?? '', key })),
  );
  return [...variables, ...files].map(({ name, key }) => ({ secret: name, key }));
}

/** The same of all pods that a chart asks for. */
export function keysNeededByChart(manifests: readonly Manifest[]): NeededKey[] {
  return manifests.flatMap((manifest) => keysNeededBy(podSpecOf(manifest as Template)));
}

type Template = Manifest & { readonly spec?: TemplateSpec };

interface TemplateSpec {
  readonly template?: { readonly spec?: PodSpec };
  /** Of a CronJob. */
  readonly jobTemplate?: { readonly spec?: TemplateSpec };
}

function podSpecOf({ kind, spec }: Template): PodSpec {
  if (kind === 'Pod') return spec as PodSpec;
  return (spec?.jobTemplate?.spec ?? spec)?.template?.spec;
}
