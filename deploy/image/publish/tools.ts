import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findGoProgram, findProgram, run } from '@ces/chart/programs/programs';
import { freePort } from '@ces/servers/ports';

const MODULES = {
  crane: ['github.com/google/go-containerregistry@v0.22.1', 'cmd/crane'],
  oras: ['oras.land/oras@v1.3.2', 'cmd/oras'],
  notation: ['github.com/notaryproject/notation@v1.3.2', 'cmd/notation'],
  syft: ['github.com/anchore/syft@v1.57.0', 'cmd/syft'],
} as const;

export type Tool = (...parameters: readonly string[]) => Promise<string>;

export interface Tools {
  readonly crane: Tool;
  readonly helm: Tool;
  readonly oras: Tool;
  readonly syft: Tool;
  readonly paths: { readonly crane: string; readonly helm: string; readonly notation: string; readonly oras: string };
}

/** syft uses plain HTTP for the loopback registry. */
export async function findTools(): Promise<Tools> {
  process.env.SYFT_REGISTRY_INSECURE_USE_HTTP = 'true';
  process.env.SYFT_CHECK_FOR_APP_UPDATE = 'false';
  const crane = await find('crane');
  const helm = await findProgram('helm');
  const oras = await find('oras');
  const notation = await find('notation');
  const syft = await find('syft');
  return {
    crane: caller(crane),
    helm: caller(helm),
    oras: caller(oras),
    syft: caller(syft),
    paths: { crane, helm, notation, oras },
  };
}

async function find(name: keyof typeof MODULES): Promise<string> {
  const [module, command] = MODULES[name];
  return await findGoProgram(name, module, command);
}

function caller(program: string): Tool {
  return async (...parameters) => await run(program, parameters);
}

export interface Registry extends AsyncDisposable {
  readonly host: string;
}

export async function startRegistry(cranePath: string, folder: string): Promise<Registry> {
  const host = `127.0.0.1:${await freePort(0)}`;
  const child = spawn(cranePath, ['registry', 'serve', '--address', host, '--disk', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = once(child, 'exit');
  // The registry logs one line once it serves.
  await Promise.race([
    once(child.stderr, 'data'),
    exit.then(() => Promise.reject(new Error('the registry ended at once'))),
  ]);
  child.stderr.resume();
  return {
    host,
    async [Symbol.asyncDispose]() {
      child.kill();
      await exit;
    },
  };
}
