import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@ces/topology/services';

const execute = promisify(execFile);
const CACHE = path.join(REPOSITORY, '.cache/interop');
export const GO_MODULE = path.join(CACHE, 'go');
const SOURCES = path.join(REPOSITORY, 'test/interop');
const GRPCURL = 'github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4';
/** Import path of generated Go code. test/interop/go/go.mod uses the same one. */
const GO_PACKAGES = 'ces.example/interop/gen';

export interface Built {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly versions: string;
}

/** The first line of the version output. Undefined if the program is not installed. */
export async function versionOf(program: string, ...parameters: readonly string[]): Promise<string | undefined> {
  return await execute(program, [...parameters]).then(
    ({ stdout }) => stdout.split('\n')[0]?.trim(),
    () => undefined,
  );
}

export async function buildGoClient(): Promise<Built> {
  const folder = GO_MODULE;
  await cp(path.join(SOURCES, 'go'), folder, { recursive: true });
  const bin = path.join(CACHE, 'bin');
  await execute('go', ['install', 'tool'], { cwd: folder, env: { ...process.env, GOBIN: bin } });
  const plugin = (name: string) => ({
    local: path.join(bin, name),
    out: path.join(folder, 'gen'),
    opt: 'paths=source_relative',
  });
  const template = {
    version: 'v2',
    managed: { enabled: true, override: [{ file_option: 'go_package_prefix', value: GO_PACKAGES }] },
    plugins: [plugin('protoc-gen-go'), plugin('protoc-gen-go-grpc')],
  };
  const parameters = ['generate', '--template', JSON.stringify(template), '--path', 'proto/ces'];
  await execute('buf', parameters, { cwd: REPOSITORY });
  const program = path.join(bin, 'client');
  await execute('go', ['build', '-o', program, '.'], { cwd: folder, env: { ...process.env, CGO_ENABLED: '0' } });
  const { stdout } = await execute('go', ['list', '-m', 'google.golang.org/grpc'], { cwd: folder });
  return { command: [program], env: {}, versions: stdout.trim() };
}

export async function buildPythonClient(): Promise<Built> {
  const folder = path.join(CACHE, 'python');
  const python = path.join(folder, 'bin/python');
  const requirements = path.join(SOURCES, 'python/requirements.txt');
  const generated = path.join(folder, 'gen');
  await execute('python3', ['-m', 'venv', folder]);
  await execute(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  await mkdir(generated, { recursive: true });
  const { stdout: protos } = await execute('buf', ['ls-files', 'proto'], { cwd: REPOSITORY });
  const files = protos.split('\n').filter((file) => file.startsWith('proto/ces/'));
  // Adds only the reflection proto, because a folder named grpc would shadow the library.
  const roots = ['proto', 'proto/grpc/reflection/v1'].map((root) => `--proto_path=${root}`);
  const outputs = ['--python_out', '--grpc_python_out'].map((option) => `${option}=${generated}`);
  const parameters = ['-m', 'grpc_tools.protoc', ...roots, ...outputs, ...files, 'reflection.proto'];
  await execute(python, parameters, { cwd: REPOSITORY });
  const pins = (await readFile(requirements, 'utf8')).split('\n');
  return {
    command: [python, path.join(SOURCES, 'python/client.py')],
    // The checks provoke failed handshakes. The library would print each.
    env: { PYTHONPATH: generated, PYTHONDONTWRITEBYTECODE: '1', GRPC_VERBOSITY: 'NONE' },
    versions: pins.find((pin) => pin.startsWith('grpcio==')) ?? '',
  };
}

export async function buildGrpcurl(): Promise<Built> {
  const bin = path.join(CACHE, 'bin');
  await mkdir(bin, { recursive: true });
  await execute('go', ['install', GRPCURL], { cwd: bin, env: { ...process.env, GOBIN: bin, CGO_ENABLED: '0' } });
  return { command: [path.join(bin, 'grpcurl')], env: {}, versions: GRPCURL };
}
