import type { UsageReport } from '@ces/client';
import type { Command } from 'commander';
import type { Runner } from '../command.ts';
import { count, instant, list, table } from '../output/table.ts';
import type { SubscriberContext } from '../subscriber/context.ts';
import type { SubscriberOptions } from '../subscriber/gateway.ts';
import { asSubscriberVerb } from '../subscriber/verb.ts';

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asSubscriberVerb(verb, ['usage --as builder']).action(
    run(async (context, options: SubscriberOptions) => {
      const report = await context.gateway(options).getUsage();
      return { json: report, text: describe(report) };
    }),
  );
}

function describe({ subscription, usage, limits, reservations: reserved }: UsageReport): string {
  const row = (what: string, name: 'request_units' | 'delivered_units') => [
    what,
    count(usage[name]),
    count(limits[name]),
    count(reserved[name]),
  ];
  const week = (what: string, name: 'weekly_request_units' | 'weekly_delivered_units') => [
    what,
    count(usage[name]),
    count(limits[name]),
    '',
  ];
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
