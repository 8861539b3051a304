import { Page } from '../frame/page.tsx';
import { useSession } from '../session/session.tsx';
import { LookUpAnswer } from './look-up-answer.tsx';
import { LookUpForm } from './look-up-form.tsx';
import { useLookUp } from './use-look-up.ts';

export default function LookUpScreen() {
  const { ces } = useSession();
  const lookUp = useLookUp(ces);
  return (
    <Page
      title="Look up companies you know"
      lead="Paste domains or company ids, for example from a spreadsheet. A look-up reads the current record and fetches nothing new."
    >
      <LookUpForm isRunning={lookUp.isRunning} onLookUp={lookUp.start} />
      {lookUp.calls.length > 0 && <LookUpAnswer lookUp={lookUp} />}
    </Page>
  );
}
