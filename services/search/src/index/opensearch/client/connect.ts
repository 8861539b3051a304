import https from 'node:https';
import { ConfigurationError } from '@ces/chassis/service/settings';
import type { Logger } from '@ces/chassis/telemetry/log';
import { secureOptions } from '@ces/chassis/tls/read-certificates';
import { type WatchedCertificates, watchCertificates } from '@ces/chassis/tls/watched-certificates';
import { Client, type ClientOptions } from '@opensearch-project/opensearch';
import { ReportingTransport } from './reporting-transport.ts';

export interface OpenSearchSettings {
  /** Comma-separated addresses without credentials; http only on loopback. */
  readonly openSearchUrl: string;
  readonly openSearchUser: string;
  readonly openSearchPassword: string;
  /** PEM file of trusted certificates; empty: Node's default. */
  readonly openSearchCaFile: string;
  readonly openSearchTimeoutMs: number;
}

/**
 * Calls fail only with `unavailable`, `deadline_exceeded` or OpenSearchRefusal. Retries reads once,
 * on another node, but not writes. Throws ConfigurationError.
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
