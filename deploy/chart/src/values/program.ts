import { settings } from './kinds.ts';
import { EXTRAS, PLACEMENT, resources } from './pod.ts';
import { flag, group, integer, list, text, type Value } from './value.ts';

const NAMED_METRIC = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'averageValue'],
  properties: {
    name: { type: 'string', description: 'The metric.', minLength: 1 },
    averageValue: { type: 'string', description: 'What a pod is to have of it.', minLength: 1 },
  },
};

const AUTOSCALING = group('A HorizontalPodAutoscaler by CPU and, where they are named, by external metrics.', {
  enabled: flag('Whether there is one.', false),
  maxReplicas: integer('Pods at most; the least number is `replicas`.', 10, 1),
  cpuPercent: integer('CPU use aimed at, in percent of the request.', 70, 1, 100),
  external: list(
    'External metrics that it reads too, from an adapter of the cluster: of operations, how many jobs wait, which is ces_jobs_waiting and the pending count of the consumer workers of the stream OPERATIONS.',
    NAMED_METRIC,
  ),
});

/** What a program can have; the same under `defaults` and under each of `components`. */
export const PROGRAM = {
  replicas: integer('Pods; the least number where autoscaling is on.', 2, 0),
  minAvailable: integer(
    'Pods that a voluntary disruption must leave, but always one fewer than replicas, so that a node can be drained; 0 makes no budget.',
    1,
    0,
  ),
  resources: resources({ cpu: '100m', memory: '192Mi' }, { memory: '512Mi' }),
  autoscaling: AUTOSCALING,
  settings: settings('Settings by their names in `ces config`; never a secret.'),
  existingSecret: text('Secret with its secret settings under their names; default <release>-<program>.'),
  existingOwnerSecret: text(
    'Secret with CES_<PROGRAM>_OWNER_DATABASE_URL for migrations; default <release>-<program>-owner.',
  ),
  ...EXTRAS,
  ...PLACEMENT,
} satisfies Record<string, Value>;
