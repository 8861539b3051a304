import { CLOUDNATIVEPG, MAX_CONNECTIONS_OF } from './databases.ts';
import { cidrs, secretOfProgram } from './kinds.ts';
import { SERVICE_ACCOUNT_TOKENS } from './service-accounts.ts';
import { flag, group, integer, strings, text, type Value } from './value.ts';

export const SERVERS = {
  rpc: group('Calls between programs: gRPC over HTTP/2.', {
    tls: group('Mutual TLS between programs.', {
      enabled: flag('Whether calls are encrypted and callers show a certificate of the same CA.', false),
      secretName: secretOfProgram(
        'Secret of a program with tls.crt, tls.key and ca.crt; {program} is replaced by its name; default <release>-{program}-rpc-tls.',
      ),
    }),
    serviceAccountTokens: SERVICE_ACCOUNT_TOKENS,
  }),
  publicTls: group(
    'TLS of the public interface itself, where no proxy before it ends TLS, or one speaks TLS to it too.',
    {
      secretName: text('Secret with tls.crt and tls.key; empty: plain text.'),
      clientCertificate: flag(
        'Whether those who connect show a certificate that ca.crt of the Secret has signed.',
        false,
      ),
    },
  ),
  nats: group('The JetStream servers that carry messages between programs.', {
    url: text('Their address with its port; one, of which the name may be that of several.', 'nats://nats:4222', {
      pattern: '^(nats|tls)://[^/,]+:\\d+$',
    }),
    streamReplicas: integer('Servers that keep each stream.', 1, 1, 5),
    credentials: group('How a program proves itself to NATS by a file, which is read again at every connection.', {
      secretName: secretOfProgram(
        'Secret that holds it; {program} is replaced by the name of the program; empty: none.',
      ),
      kind: text(
        'What it is: creds (a credentials file), nkey (a seed), password (of user) or token; default: creds.',
        '',
        {
          pattern: '^(|creds|nkey|password|token)$',
        },
      ),
      key: text('Its key in the Secret; default: nats.creds, of a password or token its kind.', '', {
        pattern: '^[-._a-zA-Z0-9]*$',
      }),
      user: text('Whose password it is; {program} is replaced by the name of the program.', '', {
        pattern: '^([-._a-zA-Z0-9]|\\{program\\})*$',
      }),
      nkey: flag('The same as the kind nkey, as before there were others.', false),
    }),
    tls: group('TLS towards the servers.', {
      secretName: secretOfProgram('Secret with ca.crt; {program} is replaced by the name of the program; empty: none.'),
      clientCertificate: flag('Whether the Secret also holds tls.crt and tls.key, to be shown to the servers.', false),
    }),
    podSelector: strings('Labels of their pods, for the network policies.', { 'app.kubernetes.io/name': 'nats' }),
    namespaceSelector: strings('Labels of their namespace.'),
    cidrs: cidrs('Networks they are in, where they are outside the cluster.'),
  }),
  postgres: group('The databases.', {
    port: integer('Their port.', 5432, 1, 65_535),
    role: text(
      'Role that a service runs as; {program} is replaced by its name. Two installations on one server need two names.',
      '{program}',
      { pattern: '^([A-Za-z_]|\\{program\\})([A-Za-z0-9_-]|\\{program\\})*$' },
    ),
    maxConnections: integer(
      'Connections that the one server of all databases takes, its reserved ones among them; 0: not known, not counted.',
      0,
      0,
    ),
    maxConnectionsOf: MAX_CONNECTIONS_OF,
    podSelector: strings('Labels of their pods, where the chart does not make them.'),
    namespaceSelector: strings('Labels of their namespace.'),
    cidrs: cidrs('Networks they are in, where they are outside the cluster.'),
    tls: group('TLS towards the servers: their certificates and host names are checked, and nothing is said without.', {
      secretName: secretOfProgram(
        'Secret with ca.crt; {program} is replaced by the name of the program; empty: as the addresses say.',
      ),
      ownerSecretName: secretOfProgram('The same for migrations; default: that of the program.'),
      clientCertificate: flag('Whether the Secrets also hold tls.crt and tls.key, to be shown to the servers.', false),
    }),
    cloudnativepg: CLOUDNATIVEPG,
  }),
} satisfies Record<string, Value>;
