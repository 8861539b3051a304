import type { Observation } from '../session/client.ts';

export type DemandClass = Observation['demand_class'];

interface DemandClassWords {
  readonly name: string;
  readonly meaning: string;
}

export const DEMAND_CLASSES: Readonly<Record<DemandClass, DemandClassWords>> = {
  explicit_request: {
    name: 'Explicit request',
    meaning: 'The company itself asks for something: a tender or another published request.',
  },
  proxy: {
    name: 'Proxy',
    meaning: 'An event that demand often follows: a site, a hire, a launch. It is a sign, not a request.',
  },
  structural: {
    name: 'Structural',
    meaning: 'What the company is, not what it does now. Fit is not evidence of current buying intent.',
  },
};

export const DEMAND_CLASS_ORDER = ['explicit_request', 'proxy', 'structural'] as const satisfies readonly DemandClass[];
