import type { Observation } from '../session/client.ts';

export type Country = Observation['country'];

export const COUNTRIES: Readonly<Record<Country, string>> = { CA: 'Canada', US: 'United States' };
