import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { asVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import { readTraces } from '../trace/read.ts';
import { waterfall } from '../trace/waterfall.ts';

interface Options {
  readonly file?: string;
}

export function define(verb: Command, run: Runner<Context>): void {
  asVerb(verb, [
    'trace 1',
    'trace 6fd4a1d0-0d2a-4c2e-9f0b-3f6f1f5a2c11',
    'trace 4bf92f3577b34da6a3ce929d0e0e4736 --file traces.jsonl',
  ])
    .argument('<id>', 'operation id, X-Request-Id or trace id', anyId)
    .option('--file <file>', 'trace file (default: the file of the local stack)')
    .action(
      run(async ({ dataDirectory }, id: string, { file = path.join(dataDirectory, 'traces.jsonl') }: Options) => {
        const traces = await readTraces(file, id);
        const [first, ...linked] = traces.map(waterfall);
        return { json: traces, text: [first, ...linked.map((one) => `linked: ${one}`)].join('\n\n') };
      }),
    );
}

function anyId(text: string): string {
  if (!/^[0-9a-zA-Z-]{1,64}$/.test(text)) throw new InvalidArgumentError('It must be an id.');
  return text;
}
