import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** The fields of an API object that the drills read. */
export interface KubernetesObject {
  readonly metadata: {
    readonly name: string;
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly readyReplicas?: number; readonly availableReplicas?: number };
}

/** Runs kubectl on the cluster of KUBECONFIG. `input` is its standard input, as JSON. */
export async function kubectl(parameters: readonly string[], input?: object): Promise<string> {
  const running = execute('kubectl', [...parameters], { maxBuffer: OUTPUT_BYTES });
  running.child.stdin?.end(input && JSON.stringify(input));
  try {
    return (await running).stdout;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(`kubectl ${parameters.slice(0, 4).join(' ')}: ${stderr.trim() || message}`);
  }
}

/** An answer of the API server, for example of `/api/v1/namespaces`. */
export async function read<T>(path: string): Promise<T> {
  return JSON.parse(await kubectl(['get', '--raw', path])) as T;
}

export async function list(path: string): Promise<readonly KubernetesObject[]> {
  return (await read<{ items: readonly KubernetesObject[] }>(path)).items;
}

/** Server-side apply, which creates an object or sets the given fields of it. */
export async function apply(...items: readonly object[]): Promise<void> {
  await kubectl(APPLY, { apiVersion: 'v1', kind: 'List', items });
}

export async function applyFile(file: string): Promise<void> {
  await kubectl([...APPLY.slice(0, -1), file]);
}

const APPLY = ['apply', '--server-side', '--force-conflicts', '--validate=strict', '--filename', '-'];
