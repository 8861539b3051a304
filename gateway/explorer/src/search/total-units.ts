import type { PageAnswer } from './ask-page.ts';

interface Total {
  readonly request: number;
  readonly delivered: number;
}

/** Sums the units of pages, those charged now and those of replays. Undefined: there was none. */
export function sumOfUnits(pages: readonly Pick<PageAnswer, 'units' | 'replayed'>[]) {
  const charged = pages.filter(({ replayed }) => !replayed);
  const replayed = pages.filter((page) => page.replayed);
  return { charged: charged.length === 0 ? undefined : total(charged), replayed: total(replayed) };
}

function total(pages: readonly Pick<PageAnswer, 'units'>[]): Total {
  return pages.reduce(
    (sum, { units }) => ({ request: sum.request + units.request, delivered: sum.delivered + units.delivered }),
    { request: 0, delivered: 0 },
  );
}
