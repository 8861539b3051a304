import type { QueryClient } from '@tanstack/react-query';
import { type SearchForm, writeForm } from '../form/form.ts';
import { type CompanySearchInput, createRequestKey } from '../session/client.ts';
import { addRun } from './runs.ts';

/** Sent once the returned history entry is shown. */
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
