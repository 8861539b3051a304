import path from 'node:path';

export type ServiceName = 'ledger' | 'lookup' | 'search' | 'acquisition' | 'operations' | 'gateway';

export interface Service {
  readonly name: ServiceName;
  readonly folder: string;
  /** Preferred port on one machine; the launcher takes the next free one if it is in use. */
  readonly port: number;
  readonly portSetting: string;
  readonly database: boolean;
  readonly broker: boolean;
  /** Services that it calls. It receives their addresses, and both sides receive the token. */
  readonly calls: readonly ServiceName[];
  /** Settings that hold secret keys by id; the stack generates a secret for each. */
  readonly keyRingSettings: readonly string[];
}

/** In start order; shutdown runs in reverse. */
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

export const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

/** Setting with the service's database URL, for the role that it runs as. */
export function databaseSetting(name: ServiceName): string {
  return `CES_${name.toUpperCase()}_DATABASE_URL`;
}

/** Setting with the service's database URL, for the role that owns the tables. */
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
