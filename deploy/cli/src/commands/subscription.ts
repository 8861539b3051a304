import { create } from '@bufbuild/protobuf';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import {
  type Limits,
  LimitsSchema,
  type Subscription,
  SubscriptionSchema,
} from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { type Command, Option } from 'commander';
import { id, wholeNumber } from '../arguments.ts';
import { type Answer, addChange, addVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import { addLimit, LIMIT_NAMES, limitsTable } from '../operator/limits.ts';
import { PLANS } from '../operator/plans.ts';
import { plain } from '../output/plain.ts';
import { instant, list } from '../output/table.ts';
import { Refusal, UsageError } from '../refusal.ts';

const STATUSES = ['trialing', 'active', 'past_due', 'paused', 'canceled', 'unpaid', 'incomplete'];
const LONGEST_WINDOW_SECONDS = 604_800;

interface Options {
  readonly plan?: string;
  readonly status?: string;
  readonly limit?: Limits;
  readonly windowSeconds?: number;
  readonly replaceLimits?: boolean;
}

export function define(group: Command, run: Runner<Context>): void {
  const make = addChange(group, 'create', 'Create the subscription of an account.', [
    'subscription create 1 --plan builder',
    'subscription create 1 --plan professional --limit window.request_units=100000 --limit page_limit=100',
  ]);
  withNumbers(make.argument('<account-id>', 'account id', id).addOption(planOption().makeOptionMandatory())).action(
    run(async ({ stack }, accountId: bigint, { plan = '', status = '', ...numbers }: Options) => {
      const ledger = stack.client('ledger', LedgerAdminService);
      const ownLimits = ownLimitsOf(numbers);
      const { subscription } = await ledger.createSubscription({ accountId, plan, status, ownLimits });
      return show(subscription);
    }),
  );

  const change = addChange(group, 'set', 'Change plan, status or limits. Other values stay unchanged.', [
    'subscription set 1 --plan professional',
    'subscription set 1 --status past_due',
    'subscription set 1 --limit week.request_units=5000 --window-seconds 3600',
  ]);
  withNumbers(change.argument('<subscription-id>', 'subscription id', id).addOption(planOption()))
    .option('--replace-limits', 'remove own limits that this call does not set')
    .action(
      run(async ({ stack }, subscriptionId: bigint, { plan, status, replaceLimits, ...numbers }: Options) => {
        const { subscription } = await stack.client('ledger', LedgerAdminService).updateSubscription({
          subscriptionId,
          ownLimits: ownLimitsOf(numbers),
          replaceLimits: replaceLimits ?? false,
          ...(plan !== undefined && { plan }),
          ...(status !== undefined && { status }),
        });
        return show(subscription);
      }),
    );

  addVerb(group, 'show', 'Show a subscription and its effective limits.', [
    'subscription show 1',
    'subscription show --account 1',
  ])
    .argument('[subscription-id]', 'subscription id', id)
    .option('--account <id>', 'show the subscription of this account', id)
    .action(
      run(async ({ stack }, subscriptionId = 0n, { account: accountId = 0n }: { account?: bigint }) => {
        if ((subscriptionId === 0n) === (accountId === 0n))
          throw new UsageError('Use either a subscription id or --account ID.');
        const ledger = stack.client('ledger', LedgerAdminService);
        return show((await ledger.getSubscription({ subscriptionId, accountId })).subscription);
      }),
    );
}

function planOption(): Option {
  return new Option('--plan <plan>', 'name of the plan').choices(PLANS);
}

function withNumbers(command: Command): Command {
  return command
    .addOption(new Option('--status <status>', 'status (default for a new subscription: active)').choices(STATUSES))
    .option(
      '--limit <name=number>',
      `limit of this subscription instead of the plan, repeatable: ${LIMIT_NAMES}`,
      addLimit,
    )
    .option('--window-seconds <seconds>', 'length of the rolling window', wholeNumber(1, LONGEST_WINDOW_SECONDS));
}

function ownLimitsOf({ limit = create(LimitsSchema), windowSeconds }: Options): Limits {
  return windowSeconds === undefined ? limit : { ...limit, windowSeconds: BigInt(windowSeconds) };
}

function show(subscription: Subscription | undefined): Answer {
  if (!subscription) throw new Refusal('The ledger returned no subscription: check that its version matches ces.');
  const json = plain(SubscriptionSchema, subscription);
  const { id, accountId, plan, status, ownLimits, effectiveLimits } = subscription;
  const facts = list([
    ['subscription', id],
    ['account', accountId],
    ['plan', plan],
    ['status', status],
    ['period', `${instant(json.current_period_start)} to ${instant(json.current_period_end)}`],
  ]);
  return { json, text: `${facts}\n\n${limitsTable(effectiveLimits, ownLimits)}` };
}
