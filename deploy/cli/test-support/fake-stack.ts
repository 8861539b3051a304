import { PassThrough } from 'node:stream';
import { VIEWERS } from '@ces/chassis/rpc/operator';
import { startRpcServer } from '@ces/chassis/rpc/server';
import { createLogger } from '@ces/chassis/telemetry/log';
import { acceptOperator } from '@ces/chassis/test-support/accept-tokens';
import type { ConnectRouter } from '@connectrpc/connect';
import type { World } from '../src/command.ts';
import { SERVICES, type ServiceName } from '../src/operator/stack.ts';
import { run } from '../src/program.ts';

const TOKEN = 'token-of-admin';
const PROGRESS = /^[\w.-]+(?: [\w.-]+)?: (?:\d+ %, )?[\d,]+ .*\n/gm;
const TYPE_NAMES = [
  'ces.ledger.v1.LedgerAdminService',
  'ces.ledger.v1.LedgerService',
  'ces.operations.v1.OperationsAdminService',
  'ces.lookup.v1.LookupService',
  'ces.lookup.v1.RecordService',
  'ces.search.v1.SearchAdminService',
  'ces.acquisition.v1.AcquisitionAdminService',
  'ces.audit.v1.AuditService',
  'ces.restore.v1.RestoreService',
];

export interface FakeStack extends AsyncDisposable {
  readonly env: Record<string, string>;
}

/** RPC servers with scripted answers and the real caller authentication. */
export async function startFakeStack(
  routes: Partial<Record<ServiceName, (router: ConnectRouter) => void>>,
): Promise<FakeStack> {
  const servers = await Promise.all(
    SERVICES.map((name) =>
      startRpcServer({
        host: '127.0.0.1',
        port: 0,
        routes: routes[name] ?? (() => undefined),
        callers: Object.fromEntries(TYPE_NAMES.map((typeName) => [typeName, { '*': [VIEWERS] }])),
        callerTokens: () => [],
        operators: acceptOperator(TOKEN),
        logger: createLogger('test', 'silent'),
      }),
    ),
  );
  const addresses = SERVICES.map((name, index) => [`CES_${name.toUpperCase()}_URL`, servers[index]?.url ?? '']);
  return {
    env: { ...Object.fromEntries(addresses), CES_RPC_TOKEN: TOKEN, CES_REASON: 'a test' },
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server[Symbol.asyncDispose]();
    },
  };
}

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  /**
   * Without progress lines, which appear every two seconds and so depend on the machine's speed.
   */
  readonly stderr: string;
  json<T = unknown>(): T;
}

type Environment = Partial<Pick<World, 'signal' | 'stdin' | 'clock'>> & { readonly stderr?: PassThrough };

export async function ces(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { signal = new AbortController().signal, ...world }: Environment = {},
): Promise<Outcome> {
  const [stdout, stderr] = [collect(), collect(world.stderr)];
  const exitCode = await run(argv, { env, ...world, stdout: stdout.stream, stderr: stderr.stream, signal });
  const said = stderr.text().replaceAll(PROGRESS, '');
  return { exitCode, stdout: stdout.text(), stderr: said, json: () => JSON.parse(stdout.text()) };
}

function collect(stream = new PassThrough()): { readonly stream: PassThrough; text(): string } {
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  return { stream, text: () => text };
}
