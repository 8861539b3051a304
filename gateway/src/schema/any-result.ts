import Type from 'typebox';
import { CompanyLookupResult } from './company-lookup.ts';
import { CompanyResult } from './company-search.ts';
import { DiagnosticResult } from './diagnostic.ts';
import { ObservationLookupResult } from './observation-lookup.ts';
import { ObservationResult } from './observation-search.ts';

export const AnyResult = Type.Union(
  [CompanyResult, ObservationResult, DiagnosticResult, CompanyLookupResult, ObservationLookupResult],
  { title: 'AnyResult' },
);
