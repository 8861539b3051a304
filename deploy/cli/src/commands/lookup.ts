import type { Command } from 'commander';
import type { Runner } from '../command.ts';
import { UsageError } from '../refusal.ts';
import type { SubscriberContext } from '../subscriber/context.ts';
import { asSubscriberVerb, type MeteredOptions, requestKeyOf, submit, withRequestKey } from '../subscriber/verb.ts';

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asSubscriberVerb(verb, ['lookup 1 2 3 --as builder', 'lookup norvanridge-cold-storage.example --as builder']);
  withRequestKey(verb)
    .argument('<id-or-domain...>', 'company ids or domains')
    .action(
      run(async (context, inputs: string[], options: MeteredOptions) => {
        const ids = inputs.filter((input) => /^\d+$/.test(input));
        if (ids.length > 0 && ids.length < inputs.length)
          throw new UsageError('Use ids or domains, not both in one call.');
        const asked = ids.length > 0 ? { ids: ids.map(Number) } : { domains: inputs };
        return await submit(context.gateway(options).lookUpCompanies(asked, { requestKey: requestKeyOf(options) }));
      }),
    );
}
