export interface Amount {
  readonly requestUnits: bigint;
  readonly deliveredUnits: bigint;
}

/** Fresh evidence has no limit. */
export interface Units extends Amount {
  readonly freshEvidenceUnits: bigint;
}

export const NO_UNITS: Units = { requestUnits: 0n, deliveredUnits: 0n, freshEvidenceUnits: 0n };

export function equalUnits(a: Amount, b: Amount): boolean {
  return a.requestUnits === b.requestUnits && a.deliveredUnits === b.deliveredUnits;
}

export function exceeds(asked: Amount, had: Amount): boolean {
  return asked.requestUnits > had.requestUnits || asked.deliveredUnits > had.deliveredUnits;
}

export function plus(a: Units, b: Units): Units {
  return {
    requestUnits: a.requestUnits + b.requestUnits,
    deliveredUnits: a.deliveredUnits + b.deliveredUnits,
    freshEvidenceUnits: a.freshEvidenceUnits + b.freshEvidenceUnits,
  };
}

/** A hold has no fresh evidence, because only the settlement knows it. */
export function heldUnits({ requestUnits, deliveredUnits }: Amount): Units {
  return { requestUnits, deliveredUnits, freshEvidenceUnits: 0n };
}

export function negative(units: Units): Units {
  return {
    requestUnits: -units.requestUnits,
    deliveredUnits: -units.deliveredUnits,
    freshEvidenceUnits: -units.freshEvidenceUnits,
  };
}
