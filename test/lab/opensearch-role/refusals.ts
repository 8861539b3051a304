import type { SecuredServer } from './secured-server.ts';

interface Trespass {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const FOREIGN = 'other-application';
const FORBIDDEN = 403;

const TRESPASSES: readonly Trespass[] = [
  { what: 'make an index outside its prefix', method: 'PUT', path: '/other' },
  { what: 'write to an index of others', method: 'PUT', path: `/${FOREIGN}/_doc/1`, body: { word: 'a' } },
  { what: 'search an index of others', method: 'POST', path: `/${FOREIGN}/_search`, body: {} },
  { what: 'delete an index of others', method: 'DELETE', path: `/${FOREIGN}` },
  {
    what: 'change settings of an index of others',
    method: 'PUT',
    path: `/${FOREIGN}/_settings`,
    body: { index: { number_of_replicas: 0 } },
  },
  {
    what: 'give an index of others an alias of its own',
    method: 'POST',
    path: '/_aliases',
    body: { actions: [{ add: { index: FOREIGN, alias: 'ces-observation' } }] },
  },
  { what: 'delete all indices', method: 'DELETE', path: '/*' },
  { what: 'read who may do what', method: 'GET', path: '/_plugins/_security/api/roles' },
  { what: 'search who may do what', method: 'POST', path: '/.opendistro_security/_search', body: {} },
  {
    what: 'change settings of the cluster',
    method: 'PUT',
    path: '/_cluster/settings',
    body: { transient: { 'cluster.max_shards_per_node': 1 } },
  },
  { what: 'make a template', method: 'PUT', path: '/_index_template/ces', body: { index_patterns: ['ces-*'] } },
  { what: 'make a place for snapshots', method: 'PUT', path: '/_snapshot/one', body: { type: 'fs', settings: {} } },
];

/**
 * Tries forbidden actions, with an index of another application present. Returns a sentence for
 * each that succeeded.
 */
export async function findTrespasses({ ask, administrator, product }: SecuredServer): Promise<readonly string[]> {
  const made = await ask(administrator, 'PUT', `/${FOREIGN}`);
  if (made.status >= 300) throw new Error(`no index of others could be made: ${JSON.stringify(made.body)}`);
  const allowed: string[] = [];
  for (const { what, method, path, body } of TRESPASSES) {
    const { status } = await ask(product, method, path, body);
    if (status === FORBIDDEN) console.log(`403: may not ${what}`);
    else allowed.push(`it could ${what}: ${method} ${path} was answered with ${status}`);
  }
  await ask(administrator, 'DELETE', `/${FOREIGN}`);
  return allowed;
}
