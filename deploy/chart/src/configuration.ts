import { migrationSettings } from '@ces/chassis/postgres/migrate';
import type { Setting } from '@ces/chassis/service/settings';
import { DATABASE_SERVICES, ownerDatabaseSetting, SERVICES } from '@ces/topology/services';
import { listSettings, SETTINGS } from '@ces/topology/settings';
import { code, table } from './markdown.ts';

/** Programs in the order of their start. */
const READ = listSettings(Object.fromEntries(SERVICES.map(({ name }) => [name, SETTINGS[name]])));

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
  const rows = READ.filter(({ setting }) => setting.secret).map(({ setting, programs }) => [
    code(setting.name),
    shortened(programs),
    needed(setting),
    setting.description,
  ]);
  const owners = DATABASE_SERVICES.map(({ name }) => [
    code(ownerDatabaseSetting(name)),
    `${name}-owner`,
    'yes',
    `address of the ${name} database as its owner`,
  ]);
  return table(['key', 'Secret', 'needed', 'meaning'], [...rows, ...owners]);
}

function settingTable(): string {
  const rows = READ.filter(({ setting }) => !setting.secret).map(({ setting, programs }) => [
    code(setting.name),
    shortened(programs),
    shown(setting.default),
    setting.description,
  ]);
  return table(['setting', 'read by', 'default', 'meaning'], rows);
}

/** `all`, `services` for every program but the gateway, or the names. */
function shortened(programs: readonly string[]): string {
  if (programs.length === SERVICES.length) return 'all';
  const isServices = programs.length === DATABASE_SERVICES.length && !programs.includes('gateway');
  return isServices ? 'services' : programs.join(', ');
}

function migrationTable(): string {
  const listed = new Set(READ.map(({ setting }) => setting.name));
  const own = Object.values(migrationSettings).filter(({ name }) => !listed.has(name));
  const rows = own.map((setting) => [code(setting.name), shown(setting.default), setting.description]);
  return table(['setting', 'default', 'meaning'], rows);
}

function needed({ default: preset }: Setting<unknown>): string {
  return preset === undefined ? 'yes' : 'no';
}

function shown(preset: string | undefined): string {
  if (preset === undefined) return 'must be set';
  return preset === '' ? '' : code(preset);
}
