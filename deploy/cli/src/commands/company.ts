import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Command } from 'commander';
import { id } from '../arguments.ts';
import { type Answer, addChange, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';

export function define(group: Command, run: Runner<Context>): void {
  addChange(group, 'merge', 'Merge a company, with the companies merged into it, into another company.', [
    'company merge 2 1 --reason "same registry number"',
  ])
    .argument('<company-id>', 'id of the company to merge', id)
    .argument('<into-id>', 'id of the surviving company', id)
    .action(run(merge));

  addChange(group, 'split', 'Undo the merge of a company. Rules never merge the two again.', [
    'company split 2 --reason "two companies of one name"',
  ])
    .argument('<company-id>', 'id of the merged company', id)
    .action(run(split));
}

async function merge({ stack, reason }: Context, companyId: bigint, intoId: bigint): Promise<Answer> {
  const record = stack.client('lookup', RecordService);
  const { survivorId, changed } = await record.mergeCompanies({ companyId, intoId, reason });
  return {
    json: { company_id: companyId, survivor_id: survivorId, changed },
    text: changed
      ? `Company ${companyId} is part of company ${survivorId}.`
      : `They were already merged into company ${survivorId}. Nothing changed.`,
  };
}

async function split({ stack, reason }: Context, companyId: bigint): Promise<Answer> {
  const { leftId, changed } = await stack.client('lookup', RecordService).splitCompanies({ companyId, reason });
  return {
    json: { company_id: companyId, left_id: leftId, changed },
    text: changed
      ? `Company ${companyId} is no longer part of company ${leftId}.`
      : `Company ${companyId} was not merged. Nothing changed.`,
  };
}
