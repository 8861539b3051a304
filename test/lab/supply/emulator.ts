import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { isThere, run } from '@ces/chart/check/programs';
import { REPOSITORY } from '@ces/topology/services';

const CACHE = path.join(REPOSITORY, '.cache/qemu');
const PACKAGE = 'qemu-user-static';
const EMULATORS = { amd64: 'qemu-x86_64-static', arm64: 'qemu-aarch64-static' } as const;
/** An emulator on a busy machine is slow. */
const LIMIT_MS = 600_000;

export type Architecture = keyof typeof EMULATORS;

/** What the image's entry prints for some arguments, run for an architecture on the files of an image and no others of it. */
export async function printedByImage(architecture: Architecture, root: string, ...parameters: readonly string[]) {
  const [program, ...rest] = await entryOf(architecture, root, parameters);
  return (await run('timeout', [`${LIMIT_MS / 1000}`, program ?? '', ...rest])).trim();
}

export interface EmulatedGateway extends AsyncDisposable {
  /** The address of its probes. */
  readonly adminUrl: string;
}

/** The gateway of an image, run the same way; ended with its disposal. */
export async function startEmulatedGateway(
  architecture: Architecture,
  root: string,
  env: Readonly<Record<string, string>>,
): Promise<EmulatedGateway> {
  const [program = '', ...rest] = await entryOf(architecture, root, ['gateway']);
  const child = spawn(program, rest, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  try {
    return {
      adminUrl: await servingAddress(child),
      async [Symbol.asyncDispose]() {
        clearTimeout(limit);
        child.kill();
        await exit;
      },
    };
  } catch (error) {
    clearTimeout(limit);
    child.kill('SIGKILL');
    throw error;
  }
}

/** From the line that says it serves. */
async function servingAddress(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line);
      const [, address] = /"admin_url":"([^"]+)"/.exec(line) ?? [];
      if (address !== undefined) {
        child.stdout.resume();
        return address;
      }
    }
  }
  throw new Error(`the gateway of the image did not serve: ${said.join('\n')}`);
}

async function entryOf(architecture: Architecture, root: string, parameters: readonly string[]): Promise<string[]> {
  const main = path.join(root, 'app/deploy/image/src/main.ts');
  return [
    await findEmulator(EMULATORS[architecture]),
    '-L',
    root,
    path.join(root, 'nodejs/bin/node'),
    main,
    ...parameters,
  ];
}

/** From Debian's package, which is unpacked and not installed. */
export async function findEmulator(name: string): Promise<string> {
  const program = path.join(CACHE, 'usr/bin', name);
  if (await isThere(program)) return program;
  await mkdir(CACHE, { recursive: true });
  await run('env', [`--chdir=${CACHE}`, 'apt-get', 'download', '-qq', PACKAGE]);
  await run('env', [`--chdir=${CACHE}`, 'bash', '-c', `dpkg-deb --extract ${PACKAGE}_*.deb . && rm ${PACKAGE}_*.deb`]);
  return program;
}
