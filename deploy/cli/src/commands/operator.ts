import { hash, randomBytes } from 'node:crypto';
import { ROLES, type Role } from '@ces/chassis/rpc/operator';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';

const TOKEN_BYTES = 32;

export function define(group: Command, run: Runner<Context>): void {
  addVerb(group, 'token', 'Create a token for an operator. Services get only its digest.', [
    'operator token alice --role support',
  ])
    .argument('<name>', 'name of the operator for audit rows, in lower case', operatorName)
    .addOption(new Option('--role <role>', 'role of the operator').choices(ROLES).makeOptionMandatory())
    .action(
      run(async (_context, name: string, { role }: { role: Role }) => {
        const token = randomBytes(TOKEN_BYTES).toString('hex');
        const entry = `${name}:${role}=${hash('sha256', token, 'hex')}`;
        const text = `Token of ${name}, to set as CES_RPC_TOKEN, shown only once:\n\n  ${token}\n\nEntry to append to CES_RPC_OPERATORS of every service:\n\n  ${entry}\n`;
        return { json: { name, role, token, entry }, text };
      }),
    );
}

function operatorName(text: string): string {
  if (!/^[a-z0-9][a-z0-9._@-]{0,63}$/.test(text))
    throw new InvalidArgumentError('It must be 1 to 64 of the characters a-z 0-9 . _ @ -');
  return text;
}
