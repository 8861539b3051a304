import { settings as acquisition } from '@ces/acquisition/config';
import type { Settings } from '@ces/chassis/service/settings';
import { telemetrySettings } from '@ces/chassis/telemetry/settings';
import { settings as gateway } from '@ces/gateway/config';
import { settings as ledger } from '@ces/ledger/config';
import { settings as lookup } from '@ces/lookup/config';
import { settings as operations } from '@ces/operations/config';
import { settings as search } from '@ces/search/config';
import { SERVICES, type ServiceName } from '@ces/topology/services';

/** What the chart must know of a program: a pod of it, and who may talk to it. */
export interface Component {
  readonly name: ServiceName;
  /** Port of its RPC or HTTP server. */
  readonly port: number;
  readonly portSetting: string;
  readonly database: boolean;
  /** Connections to that database that a process opens beside its pool, at most. */
  readonly connectionsBesidePool: number;
  /** Components that it calls. */
  readonly calls: readonly ServiceName[];
  /** Whether it publishes or consumes messages. */
  readonly broker: boolean;
  /** Whether it reaches the Internet. */
  readonly internet: boolean;
  readonly settings: readonly ComponentSetting[];
}

interface ComponentSetting {
  readonly name: string;
  readonly description: string;
  readonly secret: boolean;
  /** Absent: it must be set. */
  readonly default?: string;
}

/** What each program reads from its environment. */
const SETTINGS: Readonly<Record<ServiceName, Settings>> = {
  gateway,
  operations,
  ledger,
  search,
  lookup,
  acquisition,
};

/** The only program with a way out: the guard on what leaves is there alone (decision 0018). */
const REACHES_INTERNET: ServiceName = 'acquisition';

/** Two that ask whether the database answers, the second while the first is silent, and two that lead (decisions 0006 and 0042). */
const CONNECTIONS_BESIDE_POOL = 4;

/** Every program with its edges and settings, as the code has them. */
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
