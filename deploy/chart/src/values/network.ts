import { cidrs, optionalCidr, peers } from './kinds.ts';
import { flag, group, integer, kubernetes, list, strings, text, type Value } from './value.ts';

const CALLED = ['operations', 'ledger', 'lookup', 'search', 'acquisition'] as const;

const HOST = {
  type: 'object',
  additionalProperties: false,
  required: ['host'],
  properties: {
    host: { type: 'string', description: 'Its name.', minLength: 1 },
    paths: {
      type: 'array',
      description: 'Its paths; default everything.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['path'],
        properties: {
          path: { type: 'string', description: 'The path.' },
          pathType: {
            type: 'string',
            description: 'How it is compared.',
            enum: ['Prefix', 'Exact', 'ImplementationSpecific'],
          },
        },
      },
    },
  },
};

const CERTIFICATE = {
  type: 'object',
  additionalProperties: false,
  required: ['secretName'],
  properties: {
    secretName: { type: 'string', description: 'Secret with the certificate.', minLength: 1 },
    hosts: { type: 'array', description: 'Hosts that it names.', items: { type: 'string' } },
  },
};

export const NETWORK = {
  networkPolicy: group('Default deny, and the edges of the architecture.', {
    enabled: flag('Whether policies are made.', true),
    dns: group('Who knows names, for every pod and migration.', {
      namespaceSelector: strings('Labels of its namespace; on OpenShift openshift-dns.', {
        'kubernetes.io/metadata.name': 'kube-system',
      }),
      podSelector: strings(
        'Labels of its pods; on OpenShift k8s-app: null and dns.operator.openshift.io/daemonset-dns: default.',
        { 'k8s-app': 'kube-dns' },
      ),
      cidrs: cidrs('Networks beside them, where a resolver is no pod: 169.254.20.10/32 for a cache on each node.'),
      ports: list(
        'Ports of the pods, each over UDP and TCP; on OpenShift 5353.',
        { type: 'integer', minimum: 1, maximum: 65_535 },
        [53],
      ),
    }),
    gatewayFrom: peers(
      'Who may call the gateway, beside the Ingress controller; needed with a Service that is no ClusterIP',
    ),
    ingressController: group('Where the Ingress controller or the pods of the Gateway run.', {
      namespaceSelector: strings('Labels of its namespace.', { 'kubernetes.io/metadata.name': 'ingress-nginx' }),
    }),
    rpcFrom: group(
      'Who may call the RPC port of a program, beside the programs of the release that do.',
      Object.fromEntries(CALLED.map((name) => [name, peers(`Who may call ${name}`)])),
    ),
    postgresFrom: peers(
      'Who may reach the databases of CloudNativePG, beside their service, its migration and the operator: KEDA, where it counts jobs by the database',
    ),
    apiServer: group('Where the API of the cluster is, which every instance of CloudNativePG calls.', {
      cidrs: cidrs('Its networks; none: anywhere.'),
      ports: list('Its ports.', { type: 'integer', minimum: 1, maximum: 65_535 }, [443, 6443]),
    }),
    monitoringNamespace: text('Namespace from which metrics are scraped.', 'monitoring'),
    searchEgress: group(
      'Where the planner, embedding or reranking endpoint is that search asks; needed when its address is a name. Opened only when search has such an endpoint.',
      {
        cidrs: cidrs('Its networks.'),
        peers: peers('Where it is in the cluster'),
        port: integer(
          'Its port; 0: that of its address. A policy wants the port of the pod, not of its Service.',
          0,
          0,
          65_535,
        ),
      },
    ),
    egressProxy: group(
      'The proxy through which acquisition reaches sources (CES_ACQUISITION_PROXY in its Secret); given, it reaches nothing else of the Internet.',
      { cidrs: cidrs('Its networks.'), port: integer('Its port.', 3128, 1, 65_535) },
    ),
    internet: group('What acquisition may reach of the Internet, over whichever family the cluster has.', {
      cidr: optionalCidr('All of it by IPv4; empty: nothing.', '0.0.0.0/0'),
      except: cidrs('But not these: networks of your own and the metadata service.', [
        '10.0.0.0/8',
        '100.64.0.0/10',
        '127.0.0.0/8',
        '169.254.0.0/16',
        '172.16.0.0/12',
        '192.168.0.0/16',
      ]),
      cidrIPv6: optionalCidr('All of it by IPv6; empty: nothing.', '::/0'),
      exceptIPv6: cidrs(
        'But not these: this host, IPv4 behind NAT64, local addresses (the metadata service among them) and those of a link.',
        ['::1/128', '64:ff9b::/96', '64:ff9b:1::/48', 'fc00::/7', 'fe80::/10'],
      ),
    }),
  }),
  ingress: group('The public way in.', {
    enabled: flag('Whether there is one.', false),
    className: text('Its class.'),
    host: text('Its host name.'),
    tlsSecret: text('Secret with its certificate.'),
    hosts: list('Further hosts, each with its paths.', HOST),
    tls: list('Further certificates.', CERTIFICATE),
    annotations: strings('Annotations for its controller.'),
    labels: strings('Labels beside those of the chart.'),
  }),
  httpRoute: group('The public way in by the Gateway API.', {
    enabled: flag('Whether there is an HTTPRoute.', false),
    parentRefs: list('Gateways, and their listeners, that it hangs on.'),
    hostnames: list('Host names; the first is that of CES_PUBLIC_URL, which is https.', { type: 'string' }),
    timeouts: kubernetes('Timeouts of the rule, as the Gateway API takes them.'),
    filters: list('Filters of the rule.'),
    rules: list('Rules of your own in place of the one; without backendRefs they lead to the gateway.'),
    annotations: strings('Annotations of the route.'),
    labels: strings('Labels beside those of the chart.'),
  }),
} satisfies Record<string, Value>;
