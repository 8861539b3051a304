import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Config } from '../config.ts';
import { EndpointFailure, endpointOf } from '../endpoint/endpoint.ts';
import type { Vocabulary } from '../vocabulary/load-vocabulary.ts';
import { readAnswer } from './outside/answer-schema.ts';
import { askModel } from './outside/ask-model.ts';
import { planOfAnswer } from './outside/plan-of-answer.ts';
import { planQuery } from './plan-query.ts';
import { planMistakes } from './validate-plan.ts';

/** Throws PLANNING_UNAVAILABLE if no plan can be made. */
export interface Planner {
  plan(query: string, filters: SearchFilters, bounds: PlanBounds): Promise<Plan>;
}

interface PlanBounds {
  readonly signal: AbortSignal;
  readonly timeoutMs: number | undefined;
}

type PlannerSettings = Pick<
  Config,
  'plannerUrl' | 'plannerModel' | 'plannerKey' | 'plannerTimeoutMs' | 'plannerConcurrency' | 'plannerFallback'
>;

interface PlannerTools {
  readonly vocabulary: Vocabulary;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The outside planner may use this share of the deadline. The search needs the rest. */
const DEADLINE_SHARE = 0.5;

export function createPlanner(settings: PlannerSettings, tools: PlannerTools): Planner {
  const builtIn = (query: string, filters: SearchFilters) =>
    validated(planQuery(query, filters, tools.vocabulary, tools.clock.now()));
  if (settings.plannerUrl === '') return { plan: async (query, filters) => builtIn(query, filters) };
  const outside = createOutsidePlanner(settings, tools.vocabulary);
  return {
    async plan(query, filters, bounds) {
      try {
        return await outside(query, filters, bounds);
      } catch (error) {
        if (!(error instanceof EndpointFailure)) throw error;
        tools.logger.warn({ reason: error.message, fallback: settings.plannerFallback }, 'the outside planner failed');
        if (settings.plannerFallback) return builtIn(query, filters);
        throw fail(FailureCode.PLANNING_UNAVAILABLE, 'The search could not be planned; use a new request key.');
      }
    },
  };
}

function createOutsidePlanner(settings: PlannerSettings, vocabulary: Vocabulary) {
  const endpoint = endpointOf('CES_SEARCH_PLANNER', {
    url: settings.plannerUrl,
    model: settings.plannerModel,
    apiKey: settings.plannerKey,
  });
  const name = `outside/1 ${endpoint.model}`;
  let asking = 0;
  return async (query: string, filters: SearchFilters, { signal, timeoutMs }: PlanBounds): Promise<Plan> => {
    if (asking >= settings.plannerConcurrency) throw new EndpointFailure('too many questions wait for it');
    const limitMs = Math.min(settings.plannerTimeoutMs, (timeoutMs ?? Number.POSITIVE_INFINITY) * DEADLINE_SHARE);
    asking += 1;
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.floor(limitMs)))]);
      const answer = readAnswer(await askModel(endpoint, query, limited));
      if (!answer) throw new EndpointFailure('its answer does not keep to the schema');
      const plan = planOfAnswer(query, answer, filters, vocabulary, name);
      if (plan.empty) throw new EndpointFailure('its answer names nothing to search for');
      if (planMistakes(plan).length > 0) throw new EndpointFailure('its answer makes no valid plan');
      return plan;
    } finally {
      asking -= 1;
    }
  };
}

function validated(plan: Plan): Plan {
  const mistakes = planMistakes(plan);
  if (mistakes.length > 0) throw new Error(`the planner made an invalid plan: ${mistakes.join('; ')}`);
  return plan;
}
