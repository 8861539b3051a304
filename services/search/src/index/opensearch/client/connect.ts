import https from 'node:https';
import { ConfigurationError } from '@ces/chassis/service/settings';
import type { Logger } from '@ces/chassis/telemetry/log';
import { secureOptions } from '@ces/chassis/tls/read-certificates';
import { type WatchedCertificates, watchCertificates } from '@ces/chassis/tls/watched-certificates';
import { Client, type ClientOptions } from '@opensearch-project/opensearch';
import { ReportingTransport } from './reporting-transport.ts';

/** Where OpenSearch is, and who asks. */
export interface OpenSearchNodes {
  /** Addresses, one or several; http on loopback alone. */
  readonly nodes: readonly string[];
  /** Empty: none is named. */
  readonly user: string;
  readonly password: string;
  /** File of certificates (PEM) that nodes are checked with; empty: those that Node trusts. */
  readonly caFile: string;
  /** Longest wait for an answer, in milliseconds; a call may name another. */
  readonly timeoutMs: number;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A client whose calls end as an answer, as `unavailable` or as OpenSearchRefusal. A read is tried once more, on another node
 * where there is one; a write is not. Throws ConfigurationError where what it says would be read on the way, and where the file
 * is of no use. `close()` ends it.
 *
 * @param logger told of renewed certificates
 */
export function connectOpenSearch(
  { nodes, user, password, caFile, timeoutMs }: OpenSearchNodes,
  logger?: Logger,
): Client {
  const isReadable = ({ protocol, hostname }: URL) => protocol !== 'https:' && !LOOPBACK.test(hostname);
  if (nodes.some((node) => isReadable(new URL(node))))
    throw new ConfigurationError([
      'CES_SEARCH_OPENSEARCH_URL must start with https:// where a node is not on this machine.',
    ]);
  const options: ClientOptions = {
    nodes: [...nodes],
    Transport: ReportingTransport,
    maxRetries: 0,
    requestTimeout: timeoutMs,
    ...(user !== '' && { auth: { username: user, password } }),
  };
  if (caFile === '') return new Client(options);
  const watched = watchCertificates({
    name: 'opensearch',
    files: {
      cert: { setting: 'CES_SEARCH_OPENSEARCH_CERT_FILE', path: '' },
      key: { setting: 'CES_SEARCH_OPENSEARCH_KEY_FILE', path: '' },
      ca: { setting: 'CES_SEARCH_OPENSEARCH_CA_FILE', path: caFile },
    },
  });
  if (logger) watched.reportTo(logger);
  return new Client({ ...options, agent: () => new CheckingAgent(watched) });
}

/** Every new connection is checked with the file as it was last read. */
class CheckingAgent extends https.Agent {
  readonly #watched: WatchedCertificates;

  constructor(watched: WatchedCertificates) {
    super({ keepAlive: true, scheduling: 'lifo' });
    this.#watched = watched;
  }

  override createConnection(...[options, callback]: Parameters<https.Agent['createConnection']>) {
    return super.createConnection({ ...options, ...secureOptions(this.#watched.current) }, callback);
  }
}
