const MANY = 1_000_000_000n;

export const PLENTY = {
  windowRequestUnits: MANY,
  weekRequestUnits: MANY,
  periodRequestUnits: MANY,
  windowDeliveredUnits: MANY,
  weekDeliveredUnits: MANY,
  periodDeliveredUnits: MANY,
};
