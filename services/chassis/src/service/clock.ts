/** Passed in so that tests can drive it. Money and expiry use the database's clock instead. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
