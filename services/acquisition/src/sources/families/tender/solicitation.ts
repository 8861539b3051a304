import type { EventIdentifier } from '../../../connector/mapped.ts';

const MAX_LENGTH = 200;
const LEAST_DIGITS = 3;
const LEAST_FEDERAL_DIGITS = 4;
const LEAST_FEDERAL_LENGTH = 5;

/** Around a number: the kind of document before it, its version after it. */
const KIND_BEFORE =
  /^(?:request for (?:proposals?|quotations?|quotes?|standing offers?|supply arrangements?|information|tenders?)|rfp|rfq|rfso|rfsa|rfi|rft|itt|itq|npp|ddp|tender|solicitation|bid|invitation|no|number|numéro)\b[\s.:#-]{0,3}/i;
const VERSION_BEHIND =
  /[\s,;(–-]{1,3}(?:amendment|amend|amd|addendum|modification|mod|revision|rev|version|amendement|révision)(?![\p{L}]).{0,100}$/iu;

/** Procurement instrument identifier (FAR subpart 4.16): office, year, kind, serial number. */
const FEDERAL = /^[A-Z0-9]{5,6}(\d\d)[A-Z][A-Z0-9]{3,8}$/;
const YEAR_BEFORE = /^(?:FY)?20(\d\d)[\s/-]/i;

/** A year and a serial number do not identify a request: every buyer has such numbers. */
const YEAR_AND_SERIAL = /^20[0-4]\d\D/;

/**
 * Undefined for a placeholder such as `TBD` or `RFI 1`. A number that every buyer may have (`RFP
 * 2026-25-0001`) includes its issuer.
 */
export function solicitationIdentifier(number: string | undefined, issuer?: string): EventIdentifier | undefined {
  const value = plainNumber(number);
  if (value === undefined || digitsOf(value) < LEAST_DIGITS) return undefined;
  const isShared = YEAR_AND_SERIAL.test(value) && !/\p{L}/u.test(value) && value.replace(/\D/g, '').length > 8;
  return identifier(isShared && issuer ? `${value} ${issuer}` : value);
}

/**
 * A number in the federal form is unique; any other includes its office. Undefined for numbers that
 * many notices share: `621I`, or a code of `classes`.
 */
export function federalIdentifier(
  number: string | undefined,
  office: string | undefined,
  classes: readonly (string | undefined)[] = [],
): EventIdentifier | undefined {
  const value = plainNumber(number);
  if (value === undefined || classes.includes(value)) return undefined;
  const normal = normalForm(value);
  if (digitsOf(value) < LEAST_FEDERAL_DIGITS || normal.length < LEAST_FEDERAL_LENGTH) return undefined;
  return identifier(isFederal(normal) || office === undefined ? value : `${value} ${office}`);
}

export function isFederalNumber(number: string): boolean {
  return isFederal(normalForm(plainNumber(number) ?? ''));
}

function plainNumber(number: string | undefined): string | undefined {
  const given = number?.trim().replace(/\s+/g, ' ') ?? '';
  if (given === '' || given.length > MAX_LENGTH) return undefined;
  const bare = given.replace(VERSION_BEHIND, '').trim().replace(KIND_BEFORE, '').replace(KIND_BEFORE, '');
  const value = digitsOf(bare) >= LEAST_DIGITS ? bare : given;
  return withoutYear(value);
}

/** SPRDL125Q0054 of `2025-SPRDL125Q0054` already contains the year. */
function withoutYear(value: string): string {
  const year = YEAR_BEFORE.exec(value);
  const rest = year ? value.slice(year[0].length) : '';
  return year && FEDERAL.exec(normalForm(rest))?.[1] === year[1] ? rest : value;
}

function isFederal(normal: string): boolean {
  return FEDERAL.test(normal) && /\d{3}/.test(normal);
}

function normalForm(value: string): string {
  return value.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function digitsOf(value: string): number {
  return value.replace(/\D/g, '').length;
}

function identifier(value: string): EventIdentifier {
  return { scheme: 'solicitation', value: value.slice(0, MAX_LENGTH) };
}
