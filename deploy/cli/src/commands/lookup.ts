import type { Command } from 'commander';
import type { Runner } from '../command.ts';
import { UsageError } from '../refusal.ts';
import { addSubscriberVerb, answerOf, type MeteredOptions, requestKeyOf, withRequestKey } from '../subscriber.ts';

export function addLookup(program: Command, run: Runner): void {
  const verb = addSubscriberVerb(
    program,
    'lookup <id-or-domain...>',
    'looks companies up, up to 20 ids or 20 domains',
    ['lookup 1 2 3 --as builder', 'lookup norvanridge-cold-storage.example --as builder'],
  );
  withRequestKey(verb).action(
    run(async (context, inputs: string[], options: MeteredOptions) => {
      const ids = inputs.filter((input) => /^\d+$/.test(input));
      if (ids.length > 0 && ids.length < inputs.length)
        throw new UsageError('Name ids or domains, not both in one call.');
      const name = ids.length > 0 ? 'ids[]' : 'domains[]';
      const query = new URLSearchParams(inputs.map((input): [string, string] => [name, input]));
      const requestKey = requestKeyOf(options);
      return answerOf(await context.gateway(options).call({ path: `/api/companies?${query}`, requestKey }));
    }),
  );
}
