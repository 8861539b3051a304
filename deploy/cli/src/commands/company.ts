import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Command } from 'commander';
import { id } from '../arguments.ts';
import { type Answer, addChange, type Context, type Runner } from '../command.ts';

export function define(group: Command, run: Runner): void {
  addChange(group, 'merge', 'merges a company and all that were merged into it into another one', [
    'company merge 2 1 --reason "same registry number"',
  ])
    .argument('<company-id>', 'the company to merge', id)
    .argument('<into-id>', 'the company that survives', id)
    .action(run(merge));

  addChange(group, 'split', 'takes the merge of a company back; the two are never merged by a rule again', [
    'company split 2 --reason "two companies of one name"',
  ])
    .argument('<company-id>', 'the company that was merged', id)
    .action(run(split));
}

async function merge({ stack, reason }: Context, companyId: bigint, intoId: bigint): Promise<Answer> {
  const record = stack.client('lookup', RecordService);
  const { survivorId, changed } = await record.mergeCompanies({ companyId, intoId, reason });
  return {
    json: { company_id: companyId, survivor_id: survivorId, changed },
    text: changed
      ? `Company ${companyId} is part of company ${survivorId}.`
      : `They were one before, company ${survivorId}; nothing changed.`,
  };
}

async function split({ stack, reason }: Context, companyId: bigint): Promise<Answer> {
  const { leftId, changed } = await stack.client('lookup', RecordService).splitCompanies({ companyId, reason });
  return {
    json: { company_id: companyId, left_id: leftId, changed },
    text: changed
      ? `Company ${companyId} is no part of company ${leftId} any more.`
      : `Company ${companyId} was not merged; nothing changed.`,
  };
}
