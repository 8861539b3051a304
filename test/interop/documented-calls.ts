import { readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGE = path.join(ROOT, 'deploy/docs/grpc.md');

export interface DocumentedCaller {
  readonly operations: string;
  readonly apiKey: string;
}

/**
 * The shell command of deploy/docs/grpc.md that begins with `program`; throws when there is none.
 */
export function documentedCommand(program: string): string {
  const command = shellBlocks().find((block) => block.startsWith(`${program} `));
  if (command === undefined) throw new Error(`${PAGE} shows no command of ${program}`);
  return command;
}

export function documentedVariables({ operations, apiKey }: DocumentedCaller): Record<string, string> {
  return { operations, api_key: apiKey };
}

function shellBlocks(): readonly string[] {
  return [...readFileSync(PAGE, 'utf8').matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block]) => block ?? '');
}
