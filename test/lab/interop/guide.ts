import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { blocksOf, readGuide } from '../../support/guides/blocks.ts';
import { makeCheck, type Say } from './row.ts';
import type { InteropServers } from './servers.ts';
import { type Built, GO_MODULE } from './tool-chains.ts';

const execute = promisify(execFile);
const LIMIT_MS = 120_000;

const LANGUAGES = {
  grpcurl: { language: 'sh', file: 'guide.sh', command: (_built: Built, file: string) => ['bash', '-eu', file] },
  go: { language: 'go', file: 'main.go', command: (_built: Built, file: string) => ['go', 'run', file] },
  python: {
    language: 'python',
    file: 'guide.py',
    command: ({ command: [python = ''] }: Built, file: string) => [python, file],
  },
} as const;

/** Runs the program of the gRPC guide twice. The second run is a replay without charge. */
export async function checkGuide(
  say: Say,
  client: keyof typeof LANGUAGES,
  built: Built,
  servers: InteropServers,
): Promise<void> {
  const { language, file, command } = LANGUAGES[client];
  await makeCheck(say, client, 'the program of the guide, twice', async () => {
    const block = blocksOf(readGuide('grpc')).find(
      ({ use, reason, language: own }) => use === 'illustration' && reason.startsWith('needs ') && own === language,
    );
    if (!block) throw new Error(`the guide shows nothing in ${language}`);
    const { apiKey, charged } = await servers.subscribe();
    // Go finds its module in a parent directory.
    const folder = path.join(GO_MODULE, 'guide');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, file), block.code);
    const [program = '', ...parameters] = command(built, path.join(folder, file));
    const PATH = [path.dirname(built.command[0] ?? ''), process.env.PATH].join(path.delimiter);
    const env = { ...process.env, ...built.env, PATH, operations: servers.operations, api_key: apiKey };
    const run = async () => (await execute(program, parameters, { cwd: folder, env, timeout: LIMIT_MS })).stdout;
    const [first, again] = [await run(), await run()];
    const units = await charged();
    if (isReplayed(first) || !isReplayed(again) || units !== 1)
      throw new Error(`${units} units, ${first}, then ${again}`);
    return `${units} request unit, then replayed`;
  });
}

function isReplayed(printed: string): boolean {
  return /replayed"?: true/i.test(printed);
}
