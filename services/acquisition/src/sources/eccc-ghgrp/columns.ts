export const ID = 'GHGRP ID No.';
export const YEAR = 'Reference Year';
export const FACILITY = 'Facility Name';
export const CITY = 'Facility City or District or Municipality';
export const PROVINCE = 'Facility Province or Territory';
export const NAICS = 'Facility NAICS Code';
export const INDUSTRY = 'English Facility NAICS Code Description';
export const LEGAL_NAME = 'Reporting Company Legal Name';
export const TRADE_NAME = 'Reporting Company Trade Name';
export const BUSINESS_NUMBER = 'Reporting Company Business Number';
export const DUNS = 'Reporting Company DUNS Number';

export const COLUMNS = [
  ...[ID, YEAR, FACILITY, CITY, PROVINCE, NAICS, INDUSTRY],
  ...[LEGAL_NAME, TRADE_NAME, BUSINESS_NUMBER, DUNS],
];

export function englishName(column: string): string {
  return column.split('/')[0]?.trim() ?? '';
}
