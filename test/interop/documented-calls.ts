import { readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGE = path.join(ROOT, 'deploy/docs/grpc.md');

/** Where the page's commands point and who calls. */
export interface DocumentedCaller {
  /** `host:port` of operations. */
  readonly operations: string;
  readonly apiKey: string;
}

/** The command of deploy/docs/grpc.md that begins with `program`, for a shell; throws when the page shows none. */
export function documentedCommand(program: string): string {
  const command = shellBlocks().find((block) => block.startsWith(`${program} `));
  if (command === undefined) throw new Error(`${PAGE} shows no command of ${program}`);
  return command;
}

/** The request that the page shows, as JSON, with `apiKey` as its bearer. */
export function documentedRequest(apiKey: string): string {
  const [, json] = /<<JSON\n(.*)\nJSON$/s.exec(documentedCommand('grpcurl')) ?? [];
  if (json === undefined) throw new Error(`the grpcurl command of ${PAGE} sends no JSON`);
  return json.replace('$api_key', apiKey);
}

/** Variables that the page's commands read. */
export function documentedVariables({ operations, apiKey }: DocumentedCaller): Record<string, string> {
  return { operations, api_key: apiKey };
}

function shellBlocks(): readonly string[] {
  return [...readFileSync(PAGE, 'utf8').matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block]) => block ?? '');
}
