import { execFile } from 'node:child_process';

/** Protocols that the servers speak, by their names in `buf curl`. */
export type Protocol = 'grpc' | 'grpcweb' | 'connect';

export interface BufCall {
  /** `/service/Method`. */
  readonly path: string;
  /** As JSON; empty unless given. */
  readonly request?: unknown;
  /** Default gRPC. */
  readonly protocol?: Protocol;
  readonly headers?: Readonly<Record<string, string>>;
  /** Options of `buf curl` about certificates. */
  readonly certificates?: readonly string[];
  /** Deadline in milliseconds, reflection included; default 10 s. */
  readonly timeoutMs?: number;
}

export interface BufRefusal {
  /** Name of the code, as `resource_exhausted`. */
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly type: string; readonly value: string }[];
}

export interface BufOutcome {
  /** Messages that were answered, as JSON. */
  readonly answers: readonly unknown[];
  /** Absent: the call succeeded. */
  readonly refusal?: BufRefusal;
}

/** Calls a method with `buf curl`, whose gRPC is Go's and learns the schema from the server by reflection. */
export async function bufCurl(url: string, { path, request = {}, ...options }: BufCall): Promise<BufOutcome> {
  const headers = Object.entries(options.headers ?? {}).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  const { stdout, stderr } = await run(
    [
      'curl',
      ...['--http2-prior-knowledge', '--emit-defaults', '--timeout', `${options.timeoutMs ?? 10_000}ms`],
      ...[
        '--protocol',
        options.protocol ?? 'grpc',
        ...headers,
        ...(options.certificates ?? []),
        '--data',
        '@-',
        `${url}${path}`,
      ],
    ],
    JSON.stringify(request),
  );
  const answers = stdout.trim() === '' ? [] : [JSON.parse(stdout)];
  return stderr.trim() === '' ? { answers } : { answers, refusal: refusalIn(stderr) };
}

/** What `buf` prints; its exit code says no more than its messages. */
export async function run(parameters: readonly string[], input = ''): Promise<{ stdout: string; stderr: string }> {
  return await new Promise((resolve) => {
    const child = execFile('buf', parameters, (_error, stdout, stderr) => resolve({ stdout, stderr }));
    child.stdin?.end(input);
  });
}

function refusalIn(messages: string): BufRefusal {
  try {
    return JSON.parse(messages);
  } catch {
    throw new Error(`buf curl: ${messages}`);
  }
}
