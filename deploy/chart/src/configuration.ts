import { migrationSettings } from '@ces/chassis/postgres/migrate';
import { DATABASE_SERVICES, ownerDatabaseSetting } from '@ces/topology/services';
import { type Component, listComponents } from './components.ts';
import { code, table } from './markdown.ts';

type Setting = Component['settings'][number];

const HEAD = `# Settings

Generated from the code by \`npm run chart:generate\`. \`ces config\` prints the same list with the
values of its environment. All settings are environment variables. A setting without a default must
be set. In the chart, put a setting under \`settings\` (all programs) or
\`components.<program>.settings\`, and a secret into the Secret of its program.
`;

const SECRETS = `## Secrets

Keys of the Secrets \`<release>-<program>\` and \`<release>-<service>-owner\`.`;

const MIGRATIONS = `## Migrations

Settings of \`migrate <service>\`. In the chart they belong into \`migrations.extraEnv\`.`;

export function configurationPage(): string {
  return [
    HEAD,
    SECRETS,
    '',
    secretTable(),
    '',
    '## Other settings',
    '',
    settingTable(),
    '',
    MIGRATIONS,
    '',
    migrationTable(),
    '',
  ].join('\n');
}

function secretTable(): string {
  const rows = readSettings()
    .filter(({ setting }) => setting.secret)
    .map(({ setting, programs }) => [code(setting.name), programs, needed(setting), setting.description]);
  const owners = DATABASE_SERVICES.map(({ name }) => [
    code(ownerDatabaseSetting(name)),
    `${name}-owner`,
    'yes',
    `address of the ${name} database, as its owner role; only for migrations`,
  ]);
  return table(['key', 'Secret', 'needed', 'meaning'], [...rows, ...owners]);
}

function settingTable(): string {
  const rows = readSettings()
    .filter(({ setting }) => !setting.secret)
    .map(({ setting, programs }) => [code(setting.name), programs, shown(setting.default), setting.description]);
  return table(['setting', 'read by', 'default', 'meaning'], rows);
}

/** Every setting once, by name, with the programs that read it. */
function readSettings(): readonly { readonly setting: Setting; readonly programs: string }[] {
  const readers = new Map<string, { setting: Setting; programs: string[] }>();
  const components = listComponents();
  for (const { name, settings } of components)
    for (const setting of settings) {
      const known = readers.get(setting.name);
      if (known) known.programs.push(name);
      else readers.set(setting.name, { setting, programs: [name] });
    }
  return [...readers.values()]
    .sort((a, b) => a.setting.name.localeCompare(b.setting.name))
    .map(({ setting, programs }) => ({
      setting,
      programs: programs.length === components.length ? 'all' : programs.join(', '),
    }));
}

function migrationTable(): string {
  const rows = Object.values(migrationSettings).map((setting) => [
    code(setting.name),
    shown(setting.default),
    setting.description,
  ]);
  return table(['setting', 'default', 'meaning'], rows);
}

function needed({ default: preset }: Setting): string {
  return preset === undefined ? 'yes' : 'no';
}

function shown(preset: string | undefined): string {
  if (preset === undefined) return 'must be set';
  return preset === '' ? '' : code(preset);
}
