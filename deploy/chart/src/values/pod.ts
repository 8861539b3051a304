import { group, kubernetes, list, strings, type Value } from './value.ts';

const RESOURCE_DESCRIPTION = 'Requests and limits of its container';

/** Where pods run. */
export const PLACEMENT = {
  nodeSelector: strings('Labels of the nodes that pods may run on.'),
  tolerations: list('Taints that pods tolerate.'),
} satisfies Record<string, Value>;

/** What is added to pods beside what the chart gives them. */
export const EXTRAS = {
  podAnnotations: strings('Annotations of pods.'),
} satisfies Record<string, Value>;

export function resources(requests: object, limits: object) {
  return group(`${RESOURCE_DESCRIPTION}, as Kubernetes takes them.`, {
    requests: kubernetes('What is set aside.', requests),
    limits: kubernetes('What it may use at most; no CPU limit by default, since throttling costs latency.', limits),
  });
}
