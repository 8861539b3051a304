import type { Command } from 'commander';
import { asVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import type { SettingRow } from '../operator/setting-rows.ts';
import { table } from '../output/table.ts';

export function define(verb: Command, run: Runner<Context>): void {
  asVerb(verb, ['config', 'config --json']).action(
    run(async ({ env }) => {
      const { settingRows } = await import('../operator/setting-rows.ts');
      const rows = settingRows(env);
      const mistakes = rows.flatMap((row) => row.mistake ?? []);
      return {
        json: rows,
        text: [settingTable(rows), ...mistakes].join('\n\n'),
        failed: mistakes.length > 0,
      };
    }),
  );
}

function settingTable(rows: readonly SettingRow[]): string {
  return table(
    ['setting', 'read by', 'set to', 'default', 'meaning'],
    rows.map((row) => [
      row.name,
      row.programs.length === 1 ? row.programs[0] : `${row.programs.length} programs`,
      row.value,
      row.secret ? 'secret' : row.default,
      row.description,
    ]),
  );
}
