import { migrationSettings } from '@ces/chassis/postgres/migrate';
import { DATABASE_SERVICES, ownerDatabaseSetting, SERVICES } from '@ces/topology/services';
import { type Component, listComponents } from './components.ts';
import { code, table } from './markdown.ts';

type Setting = Component['settings'][number];

const HEAD = `# Settings

Generated from the code by \`npm run chart:generate\`; \`ces config\` prints the values of its
environment. All are environment variables. In the chart, put a setting under \`settings\` (all
programs) or \`components.<program>.settings\`, and a secret into the Secret of its program.

\`_MS\` in a name means milliseconds. Certificates are PEM files. \`services\` are ledger, lookup,
search, acquisition and operations. Without a default a setting is off. Port 0 is any free port.
`;

const SECRETS = `## Secrets

Keys of the Secrets \`<release>-<program>\` and \`<release>-<service>-owner\`.`;

const MIGRATIONS = `## Migrations

Settings of \`migrate <service>\`, besides \`CES_POSTGRES_*\` above. In the chart they belong into
\`migrations.extraEnv\`.`;

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
    `address of the ${name} database as its owner`,
  ]);
  return table(['key', 'Secret', 'needed', 'meaning'], [...rows, ...owners]);
}

function settingTable(): string {
  const rows = readSettings()
    .filter(({ setting }) => !setting.secret)
    .map(({ setting, programs }) => [code(setting.name), programs, shown(setting.default), setting.description]);
  return table(['setting', 'read by', 'default', 'meaning'], rows);
}

function readSettings(): readonly { readonly setting: Setting; readonly programs: string }[] {
  const readers = new Map<string, { setting: Setting; programs: string[] }>();
  for (const { name, settings } of listComponents())
    for (const setting of settings) {
      const known = readers.get(setting.name);
      if (known) known.programs.push(name);
      else readers.set(setting.name, { setting, programs: [name] });
    }
  return [...readers.values()]
    .sort((a, b) => a.setting.name.localeCompare(b.setting.name))
    .map(({ setting, programs }) => ({
      setting,
      programs: shortened(programs),
    }));
}

/** `all`, `services` for every program but the gateway, or the names. */
function shortened(programs: readonly string[]): string {
  if (programs.length === SERVICES.length) return 'all';
  const isServices = programs.length === DATABASE_SERVICES.length && !programs.includes('gateway');
  return isServices ? 'services' : programs.join(', ');
}

function migrationTable(): string {
  const listed = new Set(readSettings().map(({ setting }) => setting.name));
  const own = Object.values(migrationSettings).filter(({ name }) => !listed.has(name));
  const rows = own.map((setting) => [code(setting.name), shown(setting.default), setting.description]);
  return table(['setting', 'default', 'meaning'], rows);
}

function needed({ default: preset }: Setting): string {
  return preset === undefined ? 'yes' : 'no';
}

function shown(preset: string | undefined): string {
  if (preset === undefined) return 'must be set';
  return preset === '' ? '' : code(preset);
}
