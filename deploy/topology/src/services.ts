import path from 'node:path';

export type ServiceName = 'ledger' | 'lookup' | 'search' | 'acquisition' | 'operations' | 'gateway';

/** What must be known of a service to run it. */
export interface Service {
  readonly name: ServiceName;
  readonly folder: string;
  /** The port it gets on one machine when it is free. */
  readonly port: number;
  readonly portSetting: string;
  /** Whether it has a database of its own, with migrations beside its source. */
  readonly database: boolean;
  /** Whether it publishes or consumes messages. */
  readonly broker: boolean;
  /** Services that it calls: it gets their addresses, and they its token. */
  readonly calls: readonly ServiceName[];
  /** Settings that hold secret keys by id, each with a secret of the stack. */
  readonly keyRingSettings: readonly string[];
}

/** In the order of starting; they stop in the reverse one. */
export const SERVICES: readonly Service[] = [
  service('ledger', 9101, { keyRingSettings: ['CES_LEDGER_PEPPERS', 'CES_LEDGER_SIGNING_KEYS'] }),
  service('lookup', 9104, { broker: true }),
  service('search', 9103, { broker: true, calls: ['lookup'] }),
  service('acquisition', 9105, { calls: ['lookup'] }),
  service('operations', 9102, {
    broker: true,
    calls: ['ledger', 'search', 'lookup', 'acquisition'],
    keyRingSettings: ['CES_OPERATIONS_CURSOR_KEYS'],
  }),
  service('gateway', 8080, {
    folder: 'gateway',
    portSetting: 'CES_PORT',
    database: false,
    calls: ['operations', 'ledger', 'lookup'],
  }),
];

export const DATABASE_SERVICES = SERVICES.filter((one) => one.database);

/** The folder that the folders of services are in. */
export const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

/** Address of a service's database, as the role it runs with. */
export function databaseSetting(name: ServiceName): string {
  return `CES_${name.toUpperCase()}_DATABASE_URL`;
}

/** Address of a service's database, as the role that owns its tables. */
export function ownerDatabaseSetting(name: ServiceName): string {
  return `CES_${name.toUpperCase()}_OWNER_DATABASE_URL`;
}

function service(name: ServiceName, port: number, rest: Partial<Omit<Service, 'name' | 'port'>>): Service {
  const usual = {
    folder: `services/${name}`,
    portSetting: `CES_${name.toUpperCase()}_PORT`,
    database: true,
    broker: false,
  };
  return { name, port, ...usual, calls: [], keyRingSettings: [], ...rest };
}
