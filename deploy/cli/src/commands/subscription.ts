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
import { addLimit, LIMIT_NAMES } from '../limit-argument.ts';
import { limitsTable } from '../output/limits.ts';
import { plain } from '../output/plain.ts';
import { instant, list } from '../output/table.ts';
import { PLANS } from '../plans.ts';
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

export function define(group: Command, run: Runner): void {
  const make = addChange(group, 'create', 'gives an account its subscription', [
    'subscription create 1 --plan builder',
    'subscription create 1 --plan professional --limit window.request_units=100000 --limit page_limit=100',
  ]);
  withNumbers(make.argument('<account-id>', 'the account', id).addOption(planOption().makeOptionMandatory())).action(
    run(async ({ stack }, accountId: bigint, { plan = '', status = '', ...numbers }: Options) => {
      const ledger = stack.client('ledger', LedgerAdminService);
      const ownLimits = ownLimitsOf(numbers);
      const { subscription } = await ledger.createSubscription({ accountId, plan, status, ownLimits });
      return show(subscription);
    }),
  );

  const change = addChange(group, 'set', 'changes plan, status or numbers; what is not named stays', [
    'subscription set 1 --plan professional',
    'subscription set 1 --status past_due',
    'subscription set 1 --limit week.request_units=5000 --window-seconds 3600',
  ]);
  withNumbers(change.argument('<subscription-id>', 'the subscription', id).addOption(planOption()))
    .option('--replace-limits', 'drop the own numbers that this call does not name')
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

  addVerb(group, 'show', 'shows a subscription and the numbers in force', [
    'subscription show 1',
    'subscription show --account 1',
  ])
    .argument('[subscription-id]', 'the subscription', id)
    .option('--account <id>', 'that of an account', id)
    .action(
      run(async ({ stack }, subscriptionId = 0n, { account: accountId = 0n }: { account?: bigint }) => {
        if ((subscriptionId === 0n) === (accountId === 0n))
          throw new UsageError('Name a subscription id or --account ID, one of them.');
        const ledger = stack.client('ledger', LedgerAdminService);
        return show((await ledger.getSubscription({ subscriptionId, accountId })).subscription);
      }),
    );
}

function planOption(): Option {
  return new Option('--plan <plan>', 'the plan').choices(PLANS);
}

function withNumbers(command: Command): Command {
  return command
    .addOption(new Option('--status <status>', 'its status (a new one: active)').choices(STATUSES))
    .option('--limit <name=number>', `an own number instead of the plan's, repeatable: ${LIMIT_NAMES}`, addLimit)
    .option('--window-seconds <seconds>', 'length of the rolling window', wholeNumber(1, LONGEST_WINDOW_SECONDS));
}

function ownLimitsOf({ limit = create(LimitsSchema), windowSeconds }: Options): Limits {
  return windowSeconds === undefined ? limit : { ...limit, windowSeconds: BigInt(windowSeconds) };
}

function show(subscription: Subscription | undefined): Answer {
  if (!subscription) throw new Refusal('The ledger answered without a subscription: check that its version fits.');
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
