/** As whom a server of OpenSearch is asked that checks who asks; empty where it does not. */
export interface OpenSearchAccess {
  readonly openSearchUser: string;
  readonly openSearchPassword: string;
  /** Certificates (PEM) that its nodes are checked with. */
  readonly openSearchCaFile: string;
}

const { env } = process;

/** As the product, with the role that operators give it (`npm run lab -- opensearch-role`). */
export function accessOfProduct(url: string): OpenSearchAccess {
  return accessOf(url, env.CES_TEST_OPENSEARCH_USER);
}

/** For what tests do and the product does not: look at its indices from outside, and take them away. */
export function accessOfTests(url: string): OpenSearchAccess {
  return accessOf(url, env.CES_TEST_OPENSEARCH_ADMINISTRATOR);
}

/** A proxy of a test has no certificate. */
function accessOf(url: string, user = ''): OpenSearchAccess {
  return {
    openSearchUser: user,
    openSearchPassword: user && (env.CES_TEST_OPENSEARCH_PASSWORD ?? ''),
    openSearchCaFile: url.startsWith('https:') ? (env.CES_TEST_OPENSEARCH_CA_FILE ?? '') : '',
  };
}
