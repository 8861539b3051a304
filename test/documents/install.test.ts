import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const execute = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');

/** Programs of the guide that need a cluster, a server or Docker. */
const OUTSIDE = ['docker', 'kind', 'kubectl', 'helm', 'psql'];

/** Notes how it was called, and fails if a file that an argument names does not exist. */
const STAND_IN = `#!/bin/sh
echo "$(basename "$0") $*" >> "$CALLS"
for word in "$@"; do
  case $before in
    --file | --filename | --values | -f) [ -e "$word" ] || { echo "there is no $word" >&2; exit 1; } ;;
  esac
  before=$word
done
`;

let folder: string;
let environment: NodeJS.ProcessEnv;
let guide: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ces-install-'));
  guide = await readFile(path.join(ROOT, 'deploy/docs/install.md'), 'utf8');
  const programs = path.join(folder, 'programs');
  await mkdir(programs);
  for (const name of OUTSIDE) {
    await writeFile(path.join(programs, name), STAND_IN);
    await chmod(path.join(programs, name), 0o755);
  }
  await symlink(await findOldestNode(), path.join(programs, 'node'));
  const PATH = [programs, ...directoriesOutside()].join(path.delimiter);
  environment = { ...process.env, PATH, CALLS: path.join(folder, 'calls') };
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ['On Kubernetes', './secrets', 'docker kind psql kubectl kubectl kubectl helm kubectl'],
  ['Databases that the chart makes', './secrets', 'kubectl kubectl kubectl helm'],
  ['Two installations on one server', './second', 'psql'],
  ['With compose, on one host', './secrets', 'docker docker docker'],
])('the commands under “%s” run on the oldest Node that the README names', async (heading, written, called) => {
  const place = path.join(folder, heading.replaceAll(' ', '-'));
  await rm(path.join(folder, 'calls'), { force: true });
  const script = path.join(folder, 'steps.sh');
  await writeFile(script, `set -eu\n${commandsUnder(heading).replaceAll(written, place)}`);
  await execute('bash', [script], { cwd: ROOT, env: environment });
  const calls = (await readFile(path.join(folder, 'calls'), 'utf8')).trimEnd().split('\n');
  expect(calls.map((call) => call.split(' ')[0]).join(' ')).toBe(called);
});

function commandsUnder(heading: string): string {
  const section = guide.slice(guide.indexOf(`## ${heading}\n`));
  const [, commands = ''] = /```sh\n(.*?)```/s.exec(section) ?? [];
  expect(commands).not.toBe('');
  return commands;
}

/** Directories of PATH without packages of the repository, which bring a newer Node. */
function directoriesOutside(): string[] {
  return (process.env.PATH ?? '').split(path.delimiter).filter((entry) => !entry.includes('node_modules'));
}

async function findOldestNode(): Promise<string> {
  const [, major = ''] = /Node (\d+)/.exec(await readFile(path.join(ROOT, 'README.md'), 'utf8')) ?? [];
  for (const directory of directoriesOutside()) {
    const node = path.join(directory, 'node');
    const version = await execute(node, ['--version']).then(
      ({ stdout }) => stdout,
      () => '',
    );
    if (version.startsWith(`v${major}.`)) return node;
  }
  throw new Error(`This test needs Node ${major} on PATH, the oldest that the README names.`);
}
