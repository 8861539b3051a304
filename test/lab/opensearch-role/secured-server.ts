import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createAuthority } from '../../support/certificates.ts';
import { askSecurely, type SecureAnswer, type SecureCaller } from '../../support/opensearch/ask-securely.ts';
import { assembleOpenSearch, type OpenSearchProgram, SECURED } from '../../support/opensearch/assemble.ts';
import { startOpenSearch } from '../../support/opensearch/server.ts';
import { type Role, roleAsFile } from './page-role.ts';

export interface SecuredServer extends AsyncDisposable {
  readonly url: string;
  readonly caFile: string;
  readonly administrator: SecureCaller;
  readonly product: SecureCaller;
  readonly logFile: string;
  ask(caller: SecureCaller, method: string, path: string, body?: unknown): Promise<SecureAnswer>;
  grant(role: Role): Promise<void>;
}

const execute = promisify(execFile);

const ROLE = 'ces-search';
const ADMINISTRATOR = 'administrator';
const PRODUCT = 'ces';
const NODE = '127.0.0.1';

/** Assembles the server and starts it in `directory`. Throws `NotAssembled`. */
export async function startSecuredServer(directory: string, role: Role): Promise<SecuredServer> {
  const program = await assembleOpenSearch(undefined, SECURED);
  const authority = await createAuthority();
  const certificates = path.join(directory, 'certificates');
  await mkdir(certificates, { recursive: true });
  const { certFile, keyFile, caFile } = await authority.issue(certificates, [NODE]);
  const password = randomBytes(24).toString('hex');
  const administrator = { user: ADMINISTRATOR, password, ca: authority.pem };
  const product = { user: PRODUCT, password, ca: authority.pem };
  const files = new Map([
    ['ca.crt', authority.pem],
    ['node.crt', await readFile(certFile, 'utf8')],
    ['node.key', await readFile(keyFile, 'utf8')],
    ...securityFiles(await hashOf(program, password), role),
  ]);
  const server = await startOpenSearch({
    directory,
    settings: SETTINGS,
    security: { program, files, caller: administrator },
  });
  const ask = (caller: SecureCaller, method: string, target: string, body?: unknown) =>
    askSecurely(caller, method, server.url + target, body);
  return {
    url: server.url,
    caFile,
    administrator,
    product,
    logFile: server.nodes[0]?.logFile ?? '',
    ask,
    async grant(next) {
      const { status, body } = await ask(
        administrator,
        'PUT',
        `/_plugins/_security/api/roles/${ROLE}`,
        roleAsFile(next),
      );
      if (status >= 300) throw new Error(`the role was not changed: ${status} ${JSON.stringify(body)}`);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const SETTINGS = {
  // As the operators' documentation requires.
  'action.auto_create_index': '-ces-*,+*',
  'plugins.security.ssl.transport.pemcert_filepath': 'node.crt',
  'plugins.security.ssl.transport.pemkey_filepath': 'node.key',
  'plugins.security.ssl.transport.pemtrustedcas_filepath': 'ca.crt',
  'plugins.security.ssl.http.enabled': true,
  'plugins.security.ssl.http.pemcert_filepath': 'node.crt',
  'plugins.security.ssl.http.pemkey_filepath': 'node.key',
  'plugins.security.ssl.http.pemtrustedcas_filepath': 'ca.crt',
  'plugins.security.nodes_dn': [`CN=${NODE}`],
  'plugins.security.allow_default_init_securityindex': true,
  'plugins.security.restapi.roles_enabled': ['all_access'],
  'plugins.security.audit.type': 'log4j',
};

/** The initial security configuration, in the file format of the distribution. */
function securityFiles(hash: string, role: Role): [string, string][] {
  const contents: Record<string, object> = {
    config: {
      config: {
        dynamic: {
          authc: {
            by_password: {
              http_enabled: true,
              order: 0,
              http_authenticator: { type: 'basic', challenge: false },
              authentication_backend: { type: 'intern' },
            },
          },
        },
      },
    },
    internal_users: { [ADMINISTRATOR]: { hash }, [PRODUCT]: { hash } },
    roles: { [ROLE]: roleAsFile(role) },
    roles_mapping: { all_access: { users: [ADMINISTRATOR] }, [ROLE]: { users: [PRODUCT] } },
    action_groups: {},
    tenants: {},
    audit: {
      config: {
        enabled: true,
        audit: {
          enable_rest: false,
          disabled_transport_categories: ['AUTHENTICATED'],
          log_request_body: false,
          resolve_indices: false,
          ignore_users: [ADMINISTRATOR],
        },
      },
    },
  };
  return Object.entries(contents).map(([name, content]) => [
    `opensearch-security/${name}.yml`,
    JSON.stringify({ _meta: { type: name.replace('_', ''), config_version: 2 }, ...content }),
  ]);
}

async function hashOf({ java, classPath }: OpenSearchProgram, password: string): Promise<string> {
  const hasher = ['-cp', classPath, 'org.opensearch.security.tools.Hasher', '-p', password];
  const { stdout } = await execute(java, hasher, { timeout: 60_000 });
  const hash = stdout.split('\n').findLast((line) => line.startsWith('$2'));
  if (!hash) throw new Error(`no hash of a password: ${stdout}`);
  return hash.trim();
}
