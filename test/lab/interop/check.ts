import { parseArgs } from 'node:util';
import { checkBrowser } from './browser.ts';
import { checkCommand } from './command-lines.ts';
import { checkGuide } from './guide.ts';
import { checkLibrary } from './library-client.ts';
import { type Row, rowText, type Say } from './row.ts';
import { type InteropServers, startInteropServers } from './servers.ts';
import { type Built, buildGoClient, buildGrpcurl, buildPythonClient, versionOf } from './tool-chains.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });

process.exitCode = await main();

interface Client {
  readonly name: string;
  readonly program: readonly [string, string];
  readonly needs: string;
  readonly run: (say: Say, servers: InteropServers) => Promise<void>;
}

/** Runs every client against the same servers. Returns 1 if a check failed. */
async function main(): Promise<number> {
  const rows: Row[] = [];
  const say = (row: Row) => {
    rows.push(row);
    console.log(rowText(row));
  };
  await using servers = await startInteropServers();
  for (const client of clients()) if (values.only === undefined || values.only === client.name) await runClient(client);
  const count = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  console.log(`${count('ok')} checks held, ${count('failed')} failed, ${count('not run')} clients were not run`);
  return count('failed') === 0 ? 0 : 1;

  async function runClient({ name, program: [program, option], needs, run }: Client): Promise<void> {
    const version = await versionOf(program, option);
    if (version === undefined)
      return say({ client: name, check: 'all', outcome: 'not run', seen: `it needs ${needs}` });
    console.log(`${name}: ${version}`);
    await run(say, servers);
  }
}

function clients(): readonly Client[] {
  const go = { program: ['go', 'version'], needs: 'Go' } as const;
  const library = (name: 'go' | 'python', build: () => Promise<Built>) => async (say: Say, servers: InteropServers) => {
    const built = await build();
    console.log(`${name}: ${built.versions}`);
    await checkLibrary(say, name, built, servers);
    await checkGuide(say, name, built, servers);
  };
  return [
    {
      name: 'buf',
      program: ['buf', '--version'],
      needs: 'the packages of this repository',
      run: (say, servers) => checkCommand(say, 'buf', 'npx buf', servers),
    },
    {
      name: 'grpcurl',
      ...go,
      run: async (say, servers) => {
        const built = await buildGrpcurl();
        await checkCommand(say, 'grpcurl', 'grpcurl', servers, built);
        await checkGuide(say, 'grpcurl', built, servers);
      },
    },
    { name: 'go', ...go, run: library('go', buildGoClient) },
    {
      name: 'python',
      program: ['python3', '--version'],
      needs: 'Python 3.10 or newer with venv',
      run: library('python', buildPythonClient),
    },
    {
      name: 'browser',
      program: ['chromium', '--version'],
      needs: 'Chromium (the Debian package chromium)',
      run: checkBrowser,
    },
  ];
}
