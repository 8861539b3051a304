import { settings as acquisition } from '@ces/acquisition/config';
import type { Settings } from '@ces/chassis/service/settings';
import { telemetrySettings } from '@ces/chassis/telemetry/settings';
import { settings as gateway } from '@ces/gateway/config';
import { settings as ledger } from '@ces/ledger/config';
import { settings as lookup } from '@ces/lookup/config';
import { settings as operations } from '@ces/operations/config';
import { settings as search } from '@ces/search/config';
import { SERVICES, type ServiceName } from '@ces/topology/services';

export interface Component {
  readonly name: ServiceName;
  readonly port: number;
  readonly portSetting: string;
  readonly database: boolean;
  /** Upper bound of the database connections of a process outside its pool. */
  readonly connectionsBesidePool: number;
  readonly calls: readonly ServiceName[];
  readonly broker: boolean;
  readonly internet: boolean;
  readonly settings: readonly ComponentSetting[];
}

interface ComponentSetting {
  readonly name: string;
  readonly description: string;
  readonly secret: boolean;
  readonly default?: string;
}

const SETTINGS: Readonly<Record<ServiceName, Settings>> = {
  gateway,
  operations,
  ledger,
  search,
  lookup,
  acquisition,
};

/** Only acquisition reaches the Internet: it has the guard on outgoing requests (decision 0018). */
const REACHES_INTERNET: ServiceName = 'acquisition';

/** Two health probes, two of leader leases (decisions 0006 and 0042). */
const CONNECTIONS_BESIDE_POOL = 4;

export function listComponents(): Component[] {
  return SERVICES.map(({ name, port, portSetting, database, calls }) => {
    const settings = settingsOf(name);
    return {
      name,
      port,
      portSetting,
      database,
      connectionsBesidePool: database ? CONNECTIONS_BESIDE_POOL : 0,
      calls,
      broker: settings.some((setting) => setting.name === 'NATS_URL'),
      internet: name === REACHES_INTERNET,
      settings,
    };
  });
}

function settingsOf(name: ServiceName): ComponentSetting[] {
  return Object.values({ ...SETTINGS[name], ...telemetrySettings })
    .map((setting) => ({
      name: setting.name,
      description: setting.description,
      secret: setting.secret,
      ...(setting.default !== undefined && { default: setting.default }),
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}
