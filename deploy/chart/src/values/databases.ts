import { DATABASE_SERVICES } from '@ces/topology/services';
import { cidrs, SCALAR } from './kinds.ts';
import { flag, group, integer, kubernetes, type Leaf, oneOf, schemaOf, strings, text, type Value } from './value.ts';

const DATABASE = {
  instances: integer('Servers a cluster.', 3, 1),
  image: text('Image of the servers; default the operator’s, from the registry that it names.'),
  storageSize: text('Volume of a server.', '20Gi'),
  storageClass: text('Class of the volume; default the cluster’s.'),
  walStorage: group('A volume of its own for what is written ahead; one that is there cannot be taken away again.', {
    size: text('Its size; empty: none.'),
    storageClass: text('Its class; default the cluster’s.'),
  }),
  synchronousReplicas: integer(
    'Replicas that must have a commit before it counts; 0 loses the newest commits with a server.',
    1,
    0,
  ),
  dataDurability: oneOf(
    'Whether commits wait while such a replica is missing; empty: as the operator has it, required.',
    ['', 'required', 'preferred'],
    '',
  ),
  failoverQuorum: flag('Whether only a replica that has every confirmed commit may become the primary.', false),
  maxConnections: integer(
    'Connections that a server takes, its reserved ones among them; what programs can open is counted against it.',
    100,
    10,
  ),
  parameters: scalars('Other parameters of Postgres.'),
  resources: kubernetes('Requests and limits of a server, as Kubernetes takes them.'),
  affinity: kubernetes(
    'Where servers run, as CloudNativePG takes it: nodeSelector, tolerations, podAntiAffinityType …',
  ),
  primaryUpdateStrategy: oneOf(
    'Whether the primary is replaced by itself in an update, or by hand; empty: as the operator has it.',
    ['', 'unsupervised', 'supervised'],
    '',
  ),
  primaryUpdateMethod: oneOf('How it is replaced; empty: as the operator has it.', ['', 'restart', 'switchover'], ''),
  operatorNamespace: text('Namespace of the operator, which must reach its instances.', 'cnpg-system', {
    minLength: 1,
  }),
  backup: group(
    'Backups by the Barman Cloud plugin, which must be there: what is written ahead all the time, everything at times.',
    {
      enabled: flag('Whether there are any.', false),
      destinationPath: text('Where to, such as s3://bucket/ces; each cluster has a folder there.'),
      endpointUrl: text('Address of an S3-compatible store; empty: that of AWS.'),
      secretName: text('Secret with ACCESS_KEY_ID and ACCESS_SECRET_KEY; empty: the role of the pods.'),
      retention: text('How far back a restore can go, in days, weeks or months.', '30d', {
        pattern: '^[1-9][0-9]*[dwm]$',
      }),
      schedule: text('When everything is copied: six fields of cron, the first are seconds.', '0 0 2 * * *', {
        pattern: '^(\\S+( \\S+){5}|@\\w+)$',
      }),
      cidrs: cidrs('Networks of the store, for the network policies; none: any.'),
      port: integer('Its port.', 443, 1, 65_535),
      objectStore: kubernetes('More of an ObjectStore’s spec, such as azureCredentials in its configuration.'),
    },
  ),
  pooler: group('PgBouncer in transaction mode before the database; migrations go past it.', {
    enabled: flag('Whether there is one.', false),
    instances: integer('Its processes.', 2, 1),
    maxClientConnections: integer('Connections of programs that one process takes.', 1_000, 1),
    poolSize: integer('Connections to the database that one process opens at most.', 20, 1),
    parameters: scalars('Other parameters of PgBouncer.'),
    resources: kubernetes('Requests and limits of a process.'),
  }),
  spec: kubernetes(
    'More of a Cluster’s spec, on top of what the chart says; a bootstrap takes the place of the chart’s.',
  ),
} satisfies Record<string, Value>;

export const CLOUDNATIVEPG = group('One CloudNativePG cluster a service; its operator must be there.', {
  enabled: flag('Whether the chart makes them.', false),
  ...DATABASE,
  podMonitor: group('A PodMonitor of all servers and poolers.', {
    enabled: flag('Whether there is one.', false),
    interval: text('How often they are scraped.', '30s'),
    labels: strings('Labels by which Prometheus finds it.'),
  }),
  services: {
    description: 'What one database has otherwise, by its service: all of the above but enabled and podMonitor.',
    default: {},
    schema: {
      type: 'object',
      propertyNames: { enum: DATABASE_SERVICES.map(({ name }) => name) },
      additionalProperties: schemaOf(group('The database of one service.', DATABASE)),
    },
  },
});

/** `max_connections` of the servers, by service. */
export const MAX_CONNECTIONS_OF: Leaf = {
  description: 'The same of databases that have a server of their own, by service.',
  default: {},
  schema: {
    type: 'object',
    propertyNames: { enum: DATABASE_SERVICES.map(({ name }) => name) },
    additionalProperties: { type: 'integer', minimum: 1 },
  },
};

function scalars(description: string): Leaf {
  return { description, default: {}, schema: { type: 'object', additionalProperties: SCALAR } };
}
