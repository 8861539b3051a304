import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { readForm, type SearchForm, writeForm } from '../form/form.ts';
import type { Run } from '../runs/run.ts';
import { useRuns } from '../runs/runs.ts';
import { startRun } from '../runs/start-run.ts';
import type { CompanySearchInput } from '../session/client.ts';

const WRITE_AFTER_MS = 300;

interface SearchFormState {
  readonly form: SearchForm;
  readonly change: (part: Partial<SearchForm>) => void;
  readonly run: Run | undefined;
  readonly press: (input: CompanySearchInput) => void;
}

export function useSearchForm(): SearchFormState {
  const search = useSearch();
  const run = useRunOfEntry();
  const press = usePress(run);
  const [form, setForm] = useState(() => readForm(run?.search ?? search));
  const [entry, setEntry] = useState(run?.id);
  if (entry !== run?.id) {
    setEntry(run?.id);
    setForm(readForm(run?.search ?? search));
  }
  useAddressOf(form);
  return {
    form,
    change: (part) => setForm((before) => ({ ...before, ...part })),
    run,
    press: (input) => press(form, input),
  };
}

function useRunOfEntry(): Run | undefined {
  const state = useHistoryState<{ readonly run?: string } | null>();
  return useRuns().find(({ id }) => id === state?.run);
}

function usePress(before: Run | undefined): (form: SearchForm, input: CompanySearchInput) => void {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  return (form, input) => {
    const state = startRun(queryClient, form, input);
    // Restores the URL of the old entry, so that Back shows the form of that answer.
    if (before) history.replaceState(history.state, '', `?${before.search}`);
    navigate(`?${writeForm(form)}`, { state });
  };
}

/** Debounced, because browsers limit the rate of replaceState. */
function useAddressOf(form: SearchForm): void {
  const address = writeForm(form);
  useEffect(() => {
    const path = location.pathname;
    const timer = setTimeout(() => {
      // Effects outlive a navigation until the next screen has loaded.
      if (location.pathname !== path || location.search.slice(1) === address) return;
      history.replaceState(history.state, '', address === '' ? location.pathname : `?${address}`);
    }, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [address]);
}
