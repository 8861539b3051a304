import type { SearchForm } from './form.ts';
import type { Problems } from './to-input.ts';

export interface FilterProps {
  readonly form: SearchForm;
  readonly change: (part: Partial<SearchForm>) => void;
  readonly problems: Problems;
}
