import { SERVICES, type ServiceName } from '@ces/topology/services';
import { SETTINGS } from '@ces/topology/settings';

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
  return Object.values(SETTINGS[name])
    .map((setting) => ({
      name: setting.name,
      description: setting.description,
      secret: setting.secret,
      ...(setting.default !== undefined && { default: setting.default }),
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}
