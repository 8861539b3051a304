import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef?: SecretKey };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
}

interface Volume {
  readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly key: string }[] };
}

interface SecretKey {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

/** The fields of an API object that the checks read. */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly uid?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string }[];
    readonly deletionTimestamp?: string;
  };
  readonly spec?: {
    readonly replicas?: number;
    readonly nodeName?: string;
    readonly containers?: readonly Container[];
    readonly volumes?: readonly Volume[];
  };
  readonly status?: { readonly phase?: string; readonly readyReplicas?: number; readonly availableReplicas?: number };
}

type Applied = Omit<KubernetesObject, 'spec' | 'status'> &
  Readonly<Partial<Record<'spec' | 'data' | 'binaryData', unknown>>>;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Api {
  call(method: string, path: string, body?: unknown, contentType?: string): Promise<Answer>;
  list(path: string): Promise<readonly KubernetesObject[]>;
  /**
   * Yields changes until `signal` aborts or the server ends the watch, as it does after some
   * minutes.
   */
  watch(path: string, signal: AbortSignal): AsyncIterable<WatchEvent>;
  /** Server-side apply with strict validation, which rejects unknown fields. */
  apply(object: Applied): Promise<void>;
  pathOf(object: Applied, namespace: string): Promise<string>;
}

interface WatchEvent {
  readonly type: string;
  readonly object: unknown;
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

export function createApi(url: string, token: string, certificate: string): Api {
  const agent = new https.Agent({ ca: certificate, keepAlive: true });
  const resources = new Map<string, Promise<readonly Resource[]>>();
  const call: Api['call'] = (method, path, body, contentType = 'application/json') =>
    send(new URL(path, url), { method, agent, token, contentType }, body);
  const discover = async (group: string) => {
    const { body } = await call('GET', group);
    const all = (body as { resources?: readonly Resource[] }).resources ?? [];
    return all.filter(({ name }) => !name.includes('/'));
  };
  const pathOf: Api['pathOf'] = async ({ apiVersion = 'v1', kind = '', metadata }, namespace) => {
    const group = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
    const known = resources.get(group) ?? discover(group);
    resources.set(group, known);
    const resource = (await known).find((one) => one.kind === kind);
    if (!resource) resources.delete(group);
    if (!resource) throw new Error(`the server knows no ${kind} of ${apiVersion}`);
    const scope = resource.namespaced ? `/namespaces/${metadata.namespace ?? namespace}` : '';
    return `${group}${scope}/${resource.name}/${metadata.name}`;
  };
  return {
    call,
    pathOf,
    async list(path) {
      const { status, body } = await call('GET', path);
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      return (body as { items: readonly KubernetesObject[] }).items;
    },
    async *watch(path, signal) {
      const headers = { authorization: `Bearer ${token}` };
      const request = https.get(new URL(path, url), { ca: certificate, headers, signal });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
      let rest = '';
      // readline's iterator does not end when the stream is destroyed.
      for await (const chunk of response.setEncoding('utf8')) {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield JSON.parse(line) as WatchEvent;
      }
    },
    async apply(object) {
      const path = `${await pathOf(object, 'default')}?fieldManager=check&force=true&fieldValidation=Strict`;
      const { status, body } = await call('PATCH', path, object, 'application/apply-patch+yaml');
      if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    },
  };
}

interface Way {
  readonly method: string;
  readonly agent: https.Agent;
  readonly token: string;
  readonly contentType: string;
}

function send(url: URL, { method, agent, token, contentType }: Way, body: unknown): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = { authorization: `Bearer ${token}`, ...(text !== undefined && { 'content-type': contentType }) };
  return new Promise((resolve, reject) => {
    const request = https.request(url, { method, agent, headers }, (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        answer += chunk;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parse(answer) }));
    });
    request.on('error', reject);
    request.end(text);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
