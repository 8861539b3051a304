import https from 'node:https';
import { ConfigurationError } from '@ces/chassis/service/settings';
import type { Logger } from '@ces/chassis/telemetry/log';
import { secureOptions } from '@ces/chassis/tls/read-certificates';
import { type WatchedCertificates, watchCertificates } from '@ces/chassis/tls/watched-certificates';
import { Client, type ClientOptions } from '@opensearch-project/opensearch';
import { ReportingTransport } from './reporting-transport.ts';

/** Where OpenSearch is, and who asks. */
export interface OpenSearchSettings {
  /** Addresses of nodes, separated by commas, as the setting takes them: http on loopback alone, and no credentials. */
  readonly openSearchUrl: string;
  /** Empty: none is named. */
  readonly openSearchUser: string;
  readonly openSearchPassword: string;
  /** Certificates (PEM) that nodes are checked with; empty: those that Node trusts. */
  readonly openSearchCaFile: string;
  /** Longest wait for an answer, in milliseconds; a call may name another. */
  readonly openSearchTimeoutMs: number;
}

/**
 * A client whose calls end as an answer, as `unavailable` or as OpenSearchRefusal. A read is tried once more, on another node
 * where there is one; a write is not. Throws ConfigurationError with a sentence for each mistake. `close()` ends it.
 *
 * @param logger told of renewed certificates
 */
export function connectOpenSearch(settings: OpenSearchSettings, logger?: Logger): Client {
  const { openSearchUser: username, openSearchPassword: password, openSearchCaFile, openSearchTimeoutMs } = settings;
  const nodes = settings.openSearchUrl.split(',');
  expectTogether(settings, nodes);
  const options: ClientOptions = {
    nodes,
    Transport: ReportingTransport,
    maxRetries: 0,
    requestTimeout: openSearchTimeoutMs,
    ...(username !== '' && { auth: { username, password } }),
  };
  if (openSearchCaFile === '') return new Client(options);
  const watched = watchCertificates({
    name: 'opensearch',
    files: {
      cert: { setting: 'CES_SEARCH_OPENSEARCH_CERT_FILE', path: '' },
      key: { setting: 'CES_SEARCH_OPENSEARCH_KEY_FILE', path: '' },
      ca: { setting: 'CES_SEARCH_OPENSEARCH_CA_FILE', path: openSearchCaFile },
    },
  });
  if (logger) watched.reportTo(logger);
  return new Client({ ...options, agent: () => new CheckingAgent(watched) });
}

/** What settings that are right each for itself may still have wrong together. */
function expectTogether(settings: OpenSearchSettings, nodes: readonly string[]): void {
  const { openSearchUser, openSearchPassword, openSearchCaFile } = settings;
  const mistakes = [
    ...(openSearchCaFile !== '' && nodes.some((node) => node.startsWith('http:'))
      ? ['CES_SEARCH_OPENSEARCH_CA_FILE is set, and an address in CES_SEARCH_OPENSEARCH_URL starts with http://.']
      : []),
    ...((openSearchUser === '') !== (openSearchPassword === '')
      ? ['CES_SEARCH_OPENSEARCH_USER and CES_SEARCH_OPENSEARCH_PASSWORD are set together, or neither is.']
      : []),
  ];
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
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
