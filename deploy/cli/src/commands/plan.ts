import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { PlanSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Command } from 'commander';
import { addVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import { limitsTable } from '../operator/limits.ts';
import { plain } from '../output/plain.ts';
import { Refusal } from '../refusal.ts';

export function define(group: Command, run: Runner<Context>): void {
  addVerb(group, 'show [name]', 'Show one or all plans.', ['plan show', 'plan show builder']).action(
    run(async ({ stack }, name: string | undefined) => {
      const { plans } = await stack.client('ledger', LedgerAdminService).listPlans({});
      const chosen = plans.filter((plan) => name === undefined || plan.name === name);
      if (chosen.length === 0)
        throw new Refusal(`There is no plan ${name}: choose one of ${plans.map((plan) => plan.name).join(', ')}.`);
      return {
        json: chosen.map((plan) => plain(PlanSchema, plan)),
        text: chosen.map((plan) => `${plan.name}\n\n${limitsTable(plan.limits)}`).join('\n\n'),
      };
    }),
  );
}
