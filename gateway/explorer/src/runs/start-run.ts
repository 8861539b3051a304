import type { QueryClient } from '@tanstack/react-query';
import { type SearchForm, writeForm } from '../form/form.ts';
import { type CompanySearchInput, createRequestKey } from '../session/client.ts';
import { addRun } from './runs.ts';

/**
 * Begins a search with a new request key. Returns the state of the history entry that shows it;
 * the search is sent once the entry is shown.
 */
export function startRun(
  queryClient: QueryClient,
  form: SearchForm,
  input: CompanySearchInput,
): { readonly run: string } {
  const requestKey = createRequestKey();
  const pages = [{ requestKey, pressedAt: Date.now() }];
  addRun(queryClient, { id: requestKey, search: writeForm(form), input, background: form.background, pages });
  return { run: requestKey };
}
