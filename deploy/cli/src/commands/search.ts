import type { Command } from 'commander';
import { asText, collect, id, several, wholeNumber } from '../arguments.ts';
import type { Runner, SubscriberContext } from '../command.ts';
import { answerOf, asSubscriberVerb, type MeteredOptions, requestKeyOf, withRequestKey } from '../subscriber.ts';

interface Options extends MeteredOptions {
  readonly limit?: number;
  readonly target?: number;
  readonly background?: boolean;
  readonly cursor?: string;
  readonly explain?: boolean;
  readonly country?: string[];
  readonly kind?: string[];
  readonly demandClass?: string[];
  readonly occurredAfter?: string;
  readonly observedAfter?: string;
  readonly companyId?: bigint[];
  readonly domain?: string[];
  readonly excludeCompanyId?: bigint[];
  readonly excludeDomain?: string[];
}

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asSubscriberVerb(verb, [
    'search "boiler maintenance tenders" --as builder',
    'search "battery plants" --kind facility_expansion --country US --occurred-after 2024-01-01T00:00:00Z --target 50 --as professional',
    'search "solar panel makers" --kind company_profile --background --as builder',
  ]);
  withFilters(withRequestKey(verb).argument('<query>', 'what to look for, in plain words'))
    .option('--limit <number>', 'companies a page', wholeNumber(1, 1000))
    .option('--target <number>', 'companies wanted on all pages together', wholeNumber(1, 1000))
    .option('--background', 'return at once; ask for the result with npx ces wait')
    .option('--cursor <cursor>', 'the next page, from an answer; with everything else as before')
    .option('--explain', 'as an administrator: which words each company was found by, and what every part gave')
    .action(
      run(async (context, query: string, options: Options) => {
        const { limit, target, background, cursor } = options;
        const filters = filtersOf(options);
        const body = {
          query,
          ...(Object.keys(filters).length > 0 && { filters }),
          ...given({ limit, target, background, cursor }),
        };
        const requestKey = requestKeyOf(options);
        const gateway = context.gateway(options);
        const found = await gateway.call({ method: 'POST', path: '/api/companies/search', body, requestKey });
        const answer = answerOf(found);
        if (!options.explain || found.status !== 200) return answer;
        const { explain } = await import('../explain.ts');
        const { json, text } = await explain(await context.openStack(), found.body);
        return { json, text: `${answer.text}\n\n${text}` };
      }),
    );
}

const COUNTRIES = ['CA', 'US'];
const KINDS = ['company_profile', 'procurement_request', 'facility_expansion'];
const DEMAND_CLASSES = ['explicit_request', 'proxy', 'structural'];

function withFilters(verb: Command): Command {
  return verb
    .addOption(several('--country <country>', 'where', COUNTRIES))
    .addOption(several('--kind <kind>', 'what happened', KINDS))
    .addOption(several('--demand-class <class>', 'how directly it shows demand', DEMAND_CLASSES))
    .option('--occurred-after <timestamp>', 'only events since (default: 30 days ago)')
    .option('--observed-after <timestamp>', 'only what was collected since')
    .option('--company-id <id>', 'only this company, repeatable', collect(id))
    .option('--domain <hostname>', 'only the company of this website, repeatable', collect(asText))
    .option('--exclude-company-id <id>', 'never this company, repeatable', collect(id))
    .option('--exclude-domain <hostname>', 'never the company of this website, repeatable', collect(asText));
}

function filtersOf(options: Options): Record<string, unknown> {
  return given({
    countries: options.country,
    kinds: options.kind,
    demand_classes: options.demandClass,
    occurred_after: options.occurredAfter,
    observed_after: options.observedAfter,
    company_ids: options.companyId?.map(Number),
    domains: options.domain,
    exclude_company_ids: options.excludeCompanyId?.map(Number),
    exclude_domains: options.excludeDomain,
  });
}

function given(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
