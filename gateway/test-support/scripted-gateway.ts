import type {
  SubmitCompanyLookupRequest,
  SubmitCompanySearchRequest,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { answerOf, type Outcome, principalOf, searched, VERSION } from './peers.ts';

interface Script {
  next: () => Outcome;
  replayed: boolean;
  subscriptionStatus: string;
}

export interface ScriptedGateway extends TestGateway {
  readonly script: Script;
  readonly sent: (SubmitCompanySearchRequest | SubmitCompanyLookupRequest)[];
  readonly traceparents: (string | null)[];
  reset(): void;
}

export async function startScriptedGateway(): Promise<ScriptedGateway> {
  const script = firstScript();
  const sent: ScriptedGateway['sent'] = [];
  const traceparents: ScriptedGateway['traceparents'] = [];
  const submit = (request: (typeof sent)[number], headers: Headers) => {
    sent.push(request);
    traceparents.push(headers.get('traceparent'));
    return { answer: answerOf(script.next(), { replayed: script.replayed }) };
  };
  const gateway = await startGateway(
    {
      ledger: {
        authenticate: ({ bearer }) => ({
          principal: { ...principalOf(bearer), subscriptionStatus: script.subscriptionStatus },
          version: VERSION,
        }),
        getAllowance: ({ subscriptionId }) => ({
          allowance: { windowSeconds: 18_000n, windowLimit: 60n, weeklyLimit: 500n, weeklyRemaining: subscriptionId },
        }),
      },
      operations: {
        submitCompanySearch: (request, { requestHeader }) => submit(request, requestHeader),
        submitCompanyLookup: (request, { requestHeader }) => submit(request, requestHeader),
      },
    },
    { config: { authenticationFreshMs: 0 } },
  );
  return {
    ...gateway,
    script,
    sent,
    traceparents,
    reset() {
      Object.assign(script, firstScript());
      sent.length = 0;
      traceparents.length = 0;
    },
  };
}

function firstScript(): Script {
  return { next: () => searched, replayed: false, subscriptionStatus: 'active' };
}
