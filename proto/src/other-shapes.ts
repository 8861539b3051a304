// Matches in folded text that look like an address or a telephone number but are not one.

/** Job titles before an employer, and verbs before a site: `Data Engineer @ Quay.example`. */
const DOES =
  /^(?:Account(?:ant|s)|Administrator|Advisor|Agent|Analyst|Architect|Associate|Consultant|Coordinator|Designer|Developer|Director|Engineer(?:ing)?|Executive|Head|Intern|Internship|Lead|Manager|Marketer|Nurse|Officer|Operator|President|Principal|Producer|Programmer|Recruiter|Representative|Researcher|Scientist|Specialist|Strategist|Supervisor|Technician|Writer|Analyste|Conseill(?:er|ère)|Développeu(?:r|se)|Directeur|Directrice|Gestionnaire|Ingénieure?|Stagiaire|Technicien(?:ne)?)s?$/;
const FOUND_AT =
  /^(?:apply|available|bid|download|found|listed|online|posted|published|register|registered|see|view|visit)$/i;
const SET_APART = /^([^\s@]+)\s+@\s*(\S*)/;

/** A capitalized name, as companies write it and addresses do not: `Growth @ Quay.example`. */
const COMPANY = /^\p{Lu}[\p{Lu}\p{N}-]{0,62}\p{Ll}[\p{L}\p{N}-]{0,62}(?:\.\p{L}{2,20})+$/u;
/** The end of a sentence and the start of the next, or an hour: `at cost.No returns`, `9.am`. */
const NO_SITE = /^(?:\p{Ll}[\p{L}-]*\.\p{Lu}\p{Ll}+|\d{1,2}\.[ap]m)$/u;
/** The file name of a high-resolution image. */
const PICTURE = /@\dx\.\p{L}{2,5}$/u;

/** Whether `@` introduces an employer or a site, separates amounts, or is in an image name. */
export function isEmployer(match: string): boolean {
  if (/^[\d.,]+\s*@\s*[\d.]+\p{L}{2}$/u.test(match) || PICTURE.test(match)) return true;
  const [, word = '', site = ''] = SET_APART.exec(match) ?? [];
  if (COMPANY.test(site) && /^[\p{L}'’-]+$/u.test(word)) return true;
  return /^www\./i.test(site) || NO_SITE.test(site) || DOES.test(word) || FOUND_AT.test(word);
}

/** Clauses of US federal procurement (`252.211-7003`). */
const CLAUSE = /^[2-5]52\. ?2\d{2} ?- ?\d{4}$/;
const OF_THING =
  /(?:(?<![\p{L}\d])(?:duns|uei|nsn|cage|gsin|unspsc|naics|scian|sic|psc|fsc|neq|bn|gst|hst|tps|isbn|issn|sku|rf[pqi]|ifb|itt|itq|p\/n|s\/n|lei|cik|ein|itb|ori|p\.?o|s\.?o)(?:\s?(?:number|code|no\.?|#|nos\.?))?|(?<![\p{L}\d])(?:solicitation|contract|file|reference|ref|purchase order|order|invoice|project|part|model|serial|catalogu?e|item|permit|licen[cs]e|case|docket|tender|notice|bid|document|drawing|specification|amendment|requisition|control|account|stock|work order|parcel|tax|award|grant|agreement|tracking|version|demande|compte|facture|dossier|soumission|commande|contrat|projet|avis|document|pièce|référence)\s(?:number|no|nos|num|numbers|#|id|code|numéro))[.:#\s-]{0,4}$/iu;
const DATED = /(?:19|20)\d{2}[-./](?:0?[1-9]|1[0-2])[-./](?:0?[1-9]|[12]\d|3[01])(?!\d)/;
/** Acidity, which numbers may follow too. */
const PH = /^pH/;
/** Call-ups under an agreement; no telephone number starts with these zeros. */
const OF_CALL = /^call\D{1,10}000/i;

export function isNumberOfThing(match: string, before: string): boolean {
  if (CLAUSE.test(match) || PH.test(match) || OF_CALL.test(match) || OF_THING.test(before)) return true;
  const announced = /^\p{L}[^\d(]*/u.exec(match)?.[0] ?? '';
  return announced !== '' && DATED.exec(match)?.index === announced.length;
}

const SIGNED_PAIR = /^\+\d{1,3}\.\d+[ \t]+-[ \t]?\d{1,3}\.\d/;

export function isNumberOrPosition(match: string, before: string): boolean {
  return SIGNED_PAIR.test(match) || isNumberOfThing(match, before);
}
