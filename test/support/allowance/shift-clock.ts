/**
 * Preloaded with `node --import`. Shifts `Date` and `performance.now` of the service by this many
 * ms.
 */
const shiftMs = Number(process.env.CES_TEST_CLOCK_SHIFT_MS);

const RightDate = Date;
const rightNow = performance.now.bind(performance);

globalThis.Date = new Proxy(RightDate, {
  construct: (target, parameters, newTarget) =>
    Reflect.construct(target, parameters.length > 0 ? parameters : [target.now() + shiftMs], newTarget),
  apply: (target) => new target(target.now() + shiftMs).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + shiftMs : Reflect.get(target, name, receiver),
});
performance.now = () => rightNow() + shiftMs;
