import type { Piece } from './piece.ts';
import { isJoined } from './pieces.ts';

/** A unit price such as "$50 per share" is not a fact about a company. */
const RATES: ReadonlySet<string> = new Set(['per', 'hourly', 'hour', 'hr', 'share']);
/** These words precede the priced unit: "$20 a share", "25 $ l'heure", "30 $ par jour". */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'par', 'l', 'la', 'le']);
const PARTITIVES: ReadonlySet<string> = new Set(['de', 'a']);
const PRICED: ReadonlySet<string> = new Set(
  (
    'share unit hour hr h day night week month year barrel ton tonne pound lb kg kilogram gallon litre liter ounce oz acre piece person ' +
    'head ticket seat foot mile kwh mwh action heure jour nuit semaine mois an annee baril livre kilo personne'
  ).split(' '),
);

export function isRateAt(text: string, pieces: readonly Piece[], at: number): boolean {
  const word = (offset: number) => pieces[at + offset]?.word ?? '';
  if (!pieces[at]) return false;
  if (text.slice(pieces[at - 1]?.end, pieces[at]?.start).trim() === '/')
    return RATES.has(word(0)) || PRICED.has(word(0));
  if (!isJoined(text, pieces, at)) return false;
  if (RATES.has(word(0))) return true;
  const article = PARTITIVES.has(word(0)) && ARTICLES.has(word(1)) ? 1 : 0;
  return ARTICLES.has(word(article)) && PRICED.has(word(article + 1));
}
