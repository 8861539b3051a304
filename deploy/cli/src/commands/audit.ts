import { type AuditEntry, AuditEntrySchema, AuditService } from '@ces/proto/ces/audit/v1/audit_service_pb.ts';
import { type Command, Option } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { type Answer, asVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import type { ServiceName } from '../operator/stack.ts';
import { type Plain, plain } from '../output/plain.ts';
import { brief, instant, table } from '../output/table.ts';

const AUDITED = ['ledger', 'operations', 'lookup', 'search', 'acquisition'] as const satisfies readonly ServiceName[];
const USUAL_LIMIT = 50;
const WIDTH = 60;

interface Options {
  readonly service?: (typeof AUDITED)[number];
  readonly limit?: number;
}

export function define(verb: Command, run: Runner<Context>): void {
  asVerb(verb, ['audit', 'audit --service ledger --limit 10'])
    .addOption(new Option('--service <name>', 'limit to this service').choices(AUDITED))
    .option('--limit <number>', `number of changes (default ${USUAL_LIMIT})`, wholeNumber(1, 1000))
    .action(run(listAudit));
}

async function listAudit({ stack }: Context, { service, limit = USUAL_LIMIT }: Options): Promise<Answer> {
  const asked = service ? [service] : AUDITED;
  const found = await Promise.all(
    asked.map(async (name) => {
      const { entries } = await stack.client(name, AuditService).listAudit({ limit });
      return entries.map((entry) => rowOf(name, entry));
    }),
  );
  const rows = found
    .flat()
    .sort((a, b) => String(b.at).localeCompare(String(a.at)))
    .slice(0, limit);
  return {
    json: rows,
    text: table(
      ['at', 'service', 'who', 'role', 'action', 'what', 'why'],
      rows.map((row) => [
        instant(row.at),
        ...[row.service, row.who, row.role, row.action].map(String),
        ...[brief(JSON.stringify(row.detail), WIDTH), brief(String(row.reason), WIDTH)],
      ]),
      'No changes yet.',
    ),
  };
}

function rowOf(service: ServiceName, entry: AuditEntry): Plain {
  const { detail_json: _, ...row } = plain(AuditEntrySchema, entry);
  const { subject_id: subject, ...detail } = JSON.parse(entry.detailJson) as Plain;
  return { service, ...row, detail: { ...(subject !== undefined && { subject_id: subject }), ...detail } };
}
