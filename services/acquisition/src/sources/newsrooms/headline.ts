import type { KindName } from '@ces/proto/catalog';
import type { KindRule } from './kind-rule.ts';
import { KIND_RULES } from './kind-rules.ts';
import { findNoEvent } from './no-event.ts';

/** What the headline of a release says by its own words. */
export type Headline =
  | {
      readonly type: 'event';
      readonly kind: KindName;
      /** What stands before the act: whose it is; empty where the headline begins with it. */
      readonly actor: string;
    }
  | { readonly type: 'none'; readonly reason: string };

const MONEY =
  /[$€£]\s?\d|(?<![\d.,])\d[\d.,]{0,15}\s?(?:million|billion)\b|\bseries [a-h]\b|\bseed (?:round|funding)\b/i;
/** Where what an act is done to ends, and its purpose and circumstances begin. */
const END_OF_OBJECT =
  /[,;:–—]|\s-\s|\s(?:to|for|with|in|on|at|by|that|through|amid|across|under|from|as|following|using|via)\s/i;
/** What ends so is a product whatever else it is called after: a guide app, a research platform. */
const NAMES_PRODUCT =
  /\b(?:apps?|platforms?|software|systems?|tools?|toolkit|suites?|api|solutions?|devices?|products?|line|kit|engine|assistant|card)[®™]?\s*$/i;
const PLANNED = /\b(?:to|will|shall|may|could)\s+(?:soon\s+)?$/i;

/** Right before an act these say that it was not done, or is done with: `terminates strategic partnership`, `postpones opening of`. */
const UNDONE =
  /^(?:abandon(?:s|ed)?|blocks?|blocked|cancel(?:s|led|ed)?|delay(?:s|ed)?|den(?:y|ies|ied)|discontinue[sd]?|dissolve[sd]?|end(?:s|ed)|exit(?:s|ed)?|halt(?:s|ed)?|longer|never|nixe[sd]|pause[sd]?|postpone[sd]?|reject(?:s|ed)?|scrap(?:s|ped)?|shelve[sd]?|stops|stopped|su(?:es|ed)|suspend(?:s|ed)?|terminate[sd]?|unwinds?|withdr(?:aws?|ew))$/i;
/** In words. */
const MOST_BETWEEN = 4;

/** The title decides first: an event of a kind, or the reason why it tells of none. */
export function readHeadline(title: string): Headline {
  const reason = findNoEvent(title);
  if (reason) return { type: 'none', reason };
  for (const rule of KIND_RULES) {
    const at = actOf(title, rule);
    if (at !== undefined) return { type: 'event', kind: rule.kind, actor: title.slice(0, at).trim() };
  }
  return { type: 'none', reason: 'tells of no launch, partnership, site, change of leadership or funding' };
}

/** Where the act of a rule begins, if the headline tells of its kind. */
function actOf(title: string, rule: KindRule): number | undefined {
  const act = rule.act.exec(title);
  if (!act || isUndone(title.slice(0, act.index)) || rule.not.test(title)) return undefined;
  const rest = title.slice(act.index);
  if (rule.kind === 'product_launch') {
    const object = objectOf(rest.slice(act[0].length));
    const isProduct = rule.object.test(object) && (NAMES_PRODUCT.test(object) || !rule.notObject.test(object));
    return isProduct ? act.index : undefined;
  }
  if (!rule.object.test(rest) || rule.notObject.test(rest)) return undefined;
  if (rule.kind === 'funding_round' && !MONEY.test(rest)) return undefined;
  return act.index;
}

function isUndone(before: string): boolean {
  const clause = before.split(/[,;:–—]/).at(-1) ?? '';
  const words = clause.trim().split(/\s+/).slice(-MOST_BETWEEN);
  return PLANNED.test(before) || words.some((word) => UNDONE.test(word));
}

function objectOf(rest: string): string {
  const text = rest.replace(/["“][^"”]{0,100}["”]/g, ' ');
  const end = text.search(END_OF_OBJECT);
  return end < 0 ? text : text.slice(0, end);
}
