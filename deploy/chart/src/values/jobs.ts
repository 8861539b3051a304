import { JOB_POD, resources } from './pod.ts';
import { flag, group, integer, list, oneOf, text, type Value } from './value.ts';

const OPERATOR_SECRET = 'Secret with CES_RPC_TOKEN, the token of an operator; default <release>-admin.';

export const JOBS = {
  migrations: group('A Job a database, before new pods start.', {
    enabled: flag('Whether the chart migrates.', true),
    activeDeadlineSeconds: integer('How long one may take.', 900, 1),
    connectSeconds: integer('How long a migration waits for a server that does not answer.', 60, 0),
    bootstrapSeconds: integer(
      'How long it waits, beside its deadline, for a cluster of CloudNativePG that is being made.',
      3_600,
      0,
    ),
    lockTimeoutMs: integer(
      'How long a migration waits for a table that others use, in milliseconds; they wait behind it.',
      500,
      1,
      60_000,
    ),
    attempts: integer('How often it tries, with pauses as long as it waited, before the Job fails.', 60, 1, 1_000),
    resources: resources({ cpu: '50m', memory: '128Mi' }, { memory: '256Mi' }),
    ...JOB_POD,
  }),
  toolbox: group('A pod with the way to every program, for `ces`.', {
    enabled: flag('Whether there is one.', false),
    kind: oneOf(
      'A Deployment of one pod for `kubectl exec`, or a Job that runs `ces` once with toolbox.args.',
      ['Deployment', 'Job'],
      'Deployment',
    ),
    args: list('What the Job runs, without `ces`.', { type: 'string' }, ['doctor']),
    existingSecret: text(OPERATOR_SECRET),
    resources: resources({ cpu: '10m', memory: '64Mi' }, { memory: '512Mi' }),
    ...JOB_POD,
  }),
  ledgerVerify: group(
    'A CronJob that recomputes every unit by `ces ledger verify` and fails where something differs.',
    {
      enabled: flag('Whether there is one.', false),
      schedule: text('When.', '17 3 * * *', { minLength: 9 }),
      timeZone: text('Time zone of the schedule; default that of the cluster.'),
      suspend: flag('Whether it rests.', false),
      activeDeadlineSeconds: integer('How long it may take.', 3600, 1),
      successfulJobsHistoryLimit: integer('Jobs that succeeded and are kept.', 3, 0),
      failedJobsHistoryLimit: integer('Jobs that failed and are kept.', 7, 0),
      existingSecret: text(`${OPERATOR_SECRET} The role viewer is enough.`),
      resources: resources({ cpu: '50m', memory: '128Mi' }, { memory: '512Mi' }),
      ...JOB_POD,
    },
  ),
  helmTest: group(
    'The pod of `helm test`, which reads what the gateway says of itself and changes nothing; none with publicTls.clientCertificate.',
    {
      enabled: flag('Whether there is one.', true),
      timeoutSeconds: integer('How long the gateway may take to answer.', 60, 1),
      resources: resources({ cpu: '10m', memory: '64Mi' }, { memory: '128Mi' }),
      ...JOB_POD,
    },
  ),
  shutdown: group('How pods end.', {
    drainSeconds: integer(
      'How long a pod still serves after it was told to end, so that nobody is sent to it any more.',
      5,
      0,
      30,
    ),
    graceSeconds: integer('How long a pod may take to end in all; more than drainSeconds and 40.', 60, 45),
  }),
} satisfies Record<string, Value>;
