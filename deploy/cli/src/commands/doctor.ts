import type { Command } from 'commander';
import { type Answer, asVerb, type Runner } from '../command.ts';
import { type Check, checksOf, type Finding } from '../doctor/checks.ts';
import type { Context } from '../operator/context.ts';
import { refusalOf } from '../operator/rpc-refusal.ts';
import { table } from '../output/table.ts';

export function define(verb: Command, run: Runner<Context>): void {
  asVerb(verb, ['doctor', 'doctor --json']).action(
    run(async ({ stack }) => report(await Promise.all(checksOf(stack).map(examine)))),
  );
}

async function examine({ part, look }: Check): Promise<Finding & { readonly part: string }> {
  try {
    return { part, ...(await look()) };
  } catch (error) {
    const [finding = '', mend = ''] = refusalOf(error).message.split(/: (.*)/s);
    return { part, state: 'broken', finding, mend };
  }
}

function report(findings: readonly (Finding & { readonly part: string })[]): Answer {
  const rows = findings.map(({ part, state, finding, mend }) => [part, state, finding, mend]);
  return {
    json: findings,
    text: table(['part', 'state', 'finding', 'what to do'], rows),
    failed: findings.some((finding) => finding.state === 'broken'),
  };
}
