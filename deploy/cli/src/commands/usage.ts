import type { Command } from 'commander';
import type { Runner, SubscriberContext } from '../command.ts';
import type { SubscriberOptions } from '../gateway.ts';
import type { Body } from '../output/search-text.ts';
import { count, instant, list, table } from '../output/table.ts';
import { asSubscriberVerb } from '../subscriber.ts';

type Counts = Readonly<Record<string, number>>;

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asSubscriberVerb(verb, ['usage --as builder']).action(
    run(async (context, options: SubscriberOptions) => {
      const { body } = await context.gateway(options).call({ path: '/api/usage' });
      return { json: body, text: describe(body) };
    }),
  );
}

function describe(report: Body): string {
  const subscription = report.subscription as Readonly<Record<string, string>>;
  const [usage, limits, reserved] = [report.usage, report.limits, report.reservations] as [Counts, Counts, Counts];
  const row = (what: string, name: string) => [what, count(usage[name]), count(limits[name]), count(reserved[name])];
  const week = (what: string, name: string) => [what, count(usage[name]), count(limits[name]), ''];
  const period = `${instant(subscription.current_period_start)} to ${instant(subscription.current_period_end)}`;
  const facts = list([
    ['plan', `${subscription.plan}, ${subscription.status}`],
    ['period', period],
  ]);
  const counts = table(
    ['units', 'used', 'limit', 'reserved'],
    [
      row('requests in the period', 'request_units'),
      week('requests in the week', 'weekly_request_units'),
      row('delivered in the period', 'delivered_units'),
      week('delivered in the week', 'weekly_delivered_units'),
      ['fresh evidence', count(usage.fresh_evidence_units), '', ''],
    ],
  );
  return `${facts}\n\n${counts}`;
}
