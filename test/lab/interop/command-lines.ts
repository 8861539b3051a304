import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@ces/topology/services';
import { documentedCommand, documentedVariables } from '../../interop/documented-calls.ts';
import { makeCheck, type Say } from './row.ts';
import type { InteropServers } from './servers.ts';
import type { Built } from './tool-chains.ts';

const execute = promisify(execFile);

interface Printed {
  readonly answer: {
    readonly replayed?: boolean;
    readonly usage: { readonly id: string; readonly units: { readonly requestUnits: string } };
  };
}

/** Runs the documented command of `program` unchanged, twice. */
export async function checkCommand(
  say: Say,
  client: string,
  program: string,
  servers: InteropServers,
  built?: Built,
): Promise<void> {
  const { apiKey, charged } = await servers.subscribe();
  const folders = [...(built ? [path.dirname(built.command[0] ?? '')] : []), process.env.PATH];
  const variables = documentedVariables({ operations: servers.operations, apiKey });
  const env = { ...process.env, ...variables, PATH: folders.join(path.delimiter) };
  const print = async (command: string) => (await execute('sh', ['-ec', command], { cwd: REPOSITORY, env })).stdout;
  await makeCheck(say, client, 'the command of the page, twice', async () => {
    const first = JSON.parse(await print(documentedCommand(program))) as Printed;
    const again = JSON.parse(await print(documentedCommand(program))) as Printed;
    const units = await charged();
    const { id } = first.answer.usage;
    if (again.answer.replayed !== true || again.answer.usage.id !== id || units !== 1)
      throw new Error(`${units} units, ${JSON.stringify([first, again])}`);
    return `operation ${id}, replayed, ${units} request unit`;
  });
  if (!built) return;
  await makeCheck(say, client, 'lists and describes by reflection', async () => {
    const services = (await print('grpcurl -plaintext "$operations" list')).trim().split('\n');
    await print('grpcurl -plaintext "$operations" describe ces.operations.v1.OperationsService');
    return services.join(', ');
  });
}
