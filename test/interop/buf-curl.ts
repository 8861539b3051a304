import { execFile } from 'node:child_process';

export type Protocol = 'grpc' | 'grpcweb' | 'connect';

export interface BufCall {
  readonly path: string;
  readonly request?: unknown;
  readonly protocol?: Protocol;
  readonly headers?: Readonly<Record<string, string>>;
  readonly certificates?: readonly string[];
  /** Deadline in milliseconds, including reflection; default: 10 s. */
  readonly timeoutMs?: number;
}

export interface BufRefusal {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly type: string; readonly value: string }[];
}

export interface BufOutcome {
  readonly answers: readonly unknown[];
  readonly refusal?: BufRefusal;
}

/**
 * Calls a method with `buf curl`. It uses the Go implementation of gRPC and reads the schema by
 * server reflection.
 */
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

/** Ignores the exit code of `buf`, which adds nothing to its messages. */
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
