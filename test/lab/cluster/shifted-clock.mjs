// Preloaded into a service whose `Date` is off by CES_CHAOS_CLOCK_SHIFT_MS. Timers and
// performance.now() stay right.
const shift = Number(process.env.CES_CHAOS_CLOCK_SHIFT_MS ?? 0);
const RightDate = Date;

globalThis.Date = class extends RightDate {
  constructor(...parts) {
    if (parts.length === 0) super(RightDate.now() + shift);
    else super(...parts);
  }

  static now() {
    return RightDate.now() + shift;
  }
};
