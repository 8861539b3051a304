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

const MIGRATIONS = `## Migrations

Settings of \`migrate <service>\`. In the chart they are values of \`migrations\`.`;

export function configurationPage(): string {
  return [
    HEAD,
    '## Secrets',
    '',
    secretTable(),
    '',
    '## All settings',
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
  const rows = listComponents().flatMap(({ name, settings }) =>
    settings
      .filter(({ secret }) => secret)
      .map((setting) => [`<release>-${name}`, code(setting.name), needed(setting), setting.description]),
  );
  const owners = DATABASE_SERVICES.map(({ name }) => [
    `<release>-${name}-owner`,
    code(ownerDatabaseSetting(name)),
    'yes',
    `address of the ${name} database, as its owner role; only for migrations`,
  ]);
  return table(
    ['Secret', 'key', 'needed', 'meaning'],
    [...rows, ...owners].map(([secret = '', ...rest]) => [code(secret), ...rest]),
  );
}

function settingTable(): string {
  const readers = new Map<string, { setting: Setting; programs: string[] }>();
  const components = listComponents();
  for (const { name, settings } of components)
    for (const setting of settings) {
      const known = readers.get(setting.name);
      if (known) known.programs.push(name);
      else readers.set(setting.name, { setting, programs: [name] });
    }
  const rows = [...readers.values()]
    .sort((a, b) => a.setting.name.localeCompare(b.setting.name))
    .map(({ setting, programs }) => [
      code(setting.name),
      programs.length === components.length ? 'all' : programs.join(', '),
      setting.secret ? 'secret' : shown(setting.default),
      setting.description,
    ]);
  return table(['setting', 'read by', 'default', 'meaning'], rows);
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
