import { useEffect, useRef, useState } from 'react';
import { writeForm } from '../form/form.ts';
import { toInput } from '../form/to-input.ts';
import { useMaxLimit } from '../form/use-max-limit.ts';
import { Page } from '../frame/page.tsx';
import { SavedLinks } from '../saved/saved-links.tsx';
import { Answer } from './answer.tsx';
import { EarlierSearches } from './earlier-searches.tsx';
import { Examples } from './examples.tsx';
import { Filters } from './filters.tsx';
import { beginsSearch, pressStateOf } from './press-state.ts';
import { QueryBar } from './query-bar.tsx';
import styles from './search-screen.module.css';
import { useSearchForm } from './use-search-form.ts';

export default function SearchScreen() {
  const { form, change, run, press } = useSearchForm();
  const pressState = pressStateOf(writeForm(form), run);
  const maxLimit = useMaxLimit();
  const { input, problems } = toInput(form, { now: new Date(), maxLimit });
  const { formElement, refused, setRefused } = useFirstProblem();
  const shown = refused > 0 ? problems : undefined;
  const noPrice = shown !== undefined || problems?.limit !== undefined || problems?.target !== undefined;
  function submit(): void {
    setRefused(input ? 0 : refused + 1);
    if (input && beginsSearch(writeForm(form), run, Date.now())) press(input);
  }
  return (
    <Page
      title="Search"
      compact={run !== undefined}
      lead={run ? undefined : 'Describe in plain words what the companies are doing.'}
    >
      <div className={styles.screen}>
        <form
          ref={formElement}
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <QueryBar
            form={form}
            change={change}
            problem={shown?.query}
            invalid={noPrice}
            pressState={pressState}
            hinted={run === undefined}
          />
          <Filters form={form} change={change} problems={shown ?? {}} maxLimit={maxLimit} />
        </form>
        <div className={styles.answer}>
          {run ? (
            <Answer key={run.id} run={run} searchWithNewKey={submit} />
          ) : (
            <>
              <Examples choose={(query) => change({ query })} />
              <SavedLinks />
              <EarlierSearches />
            </>
          )}
        </div>
      </div>
    </Page>
  );
}

/** Each rejected submit moves the focus to the first invalid control. */
function useFirstProblem() {
  const formElement = useRef<HTMLFormElement>(null);
  const [refused, setRefused] = useState(0);
  useEffect(() => {
    if (refused > 0) formElement.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refused]);
  return { formElement, refused, setRefused };
}
