import { identifies } from '@ces/proto/registry-identifier';
import { type CompanyFacts, type FactName, joinFacts } from './company-facts.ts';
import { formsAgree, isSameCompany, type ResolutionRule } from './same-company.ts';
import type { ResolutionVocabulary } from './vocabulary.ts';

export interface Member {
  readonly companyId: bigint;
  readonly canonicalId: bigint;
  readonly facts: CompanyFacts;
}

export interface Merge {
  readonly companyId: bigint;
  readonly intoId: bigint;
  readonly rule: ResolutionRule;
  readonly memberIds: readonly bigint[];
}

interface Group {
  canonicalId: bigint;
  members: bigint[];
  facts: CompanyFacts;
}

const RULES: readonly ResolutionRule[] = ['identifier', 'hostname', 'shared_identifier', 'name', 'former_name'];

export class CompanyGroups {
  readonly merges: Merge[] = [];
  readonly #vocabulary: ResolutionVocabulary;
  readonly #groupOf = new Map<bigint, Group>();
  readonly #companiesWith = new Map<string, Set<bigint>>();
  readonly #doNotMerge = new Set<string>();

  constructor(
    vocabulary: ResolutionVocabulary,
    members: readonly Member[],
    doNotMerge: readonly (readonly [bigint, bigint])[],
  ) {
    this.#vocabulary = vocabulary;
    for (const [one, other] of doNotMerge) this.#doNotMerge.add(`${one} ${other}`).add(`${other} ${one}`);
    const byCanonicalId = new Map<bigint, Group>();
    for (const { companyId, canonicalId, facts } of members) {
      const group = byCanonicalId.get(canonicalId);
      if (group) {
        group.members.push(companyId);
        group.facts = joinFacts(group.facts, facts);
      } else byCanonicalId.set(canonicalId, { canonicalId, members: [companyId], facts });
      this.#groupOf.set(companyId, byCanonicalId.get(canonicalId) as Group);
      this.#index(companyId, facts);
    }
  }

  canonicalIdOf(companyId: bigint): bigint {
    return this.#groupOf.get(companyId)?.canonicalId ?? companyId;
  }

  /**
   * Merges by the rules, strongest first (decision 0015). Only identifiers merge several groups.
   */
  add(companyId: bigint, facts: CompanyFacts): void {
    const group = this.#groupOf.get(companyId);
    if (group) group.facts = joinFacts(group.facts, facts);
    else this.#groupOf.set(companyId, { canonicalId: companyId, members: [companyId], facts });
    this.#index(companyId, facts);
    for (const rule of RULES) {
      const candidates = this.#candidates(rule, companyId, facts);
      if (rule !== 'identifier' && candidates.length > 1) continue;
      for (const candidate of candidates) this.#merge(rule, companyId, candidate);
    }
  }

  #candidates(rule: ResolutionRule, companyId: bigint, facts: CompanyFacts): Group[] {
    if (rule === 'former_name') return this.#formerBearers(companyId, facts);
    const others = this.#others(companyId, keysOf(rule, facts));
    return rule === 'name' ? others.filter((group) => formsAgree(facts, group.facts)) : others;
  }

  /** Finds companies by former names, unless another has the name now. */
  #formerBearers(companyId: bigint, facts: CompanyFacts): Group[] {
    const names = namesOf(facts.names);
    const isTaken = this.#others(companyId, names).length > 0;
    return this.#others(companyId, [...(isTaken ? [] : names.map(formerly)), ...namesOf(facts.formerNames)]);
  }

  #others(companyId: bigint, keys: readonly string[]): Group[] {
    const own = this.#groupOf.get(companyId);
    const companies = keys.flatMap((key) => [...(this.#companiesWith.get(key) ?? [])]);
    return [...new Set(companies.flatMap((id) => this.#groupOf.get(id) ?? []))].filter((group) => group !== own);
  }

  #merge(rule: ResolutionRule, companyId: bigint, other: Group): void {
    const own = this.#groupOf.get(companyId);
    if (!own || own === other || this.#mayNotMerge(own, other)) return;
    if (!isSameCompany(this.#vocabulary, rule, own.facts, other.facts)) return;
    const [into, from] = own.canonicalId < other.canonicalId ? [own, other] : [other, own];
    this.merges.push({ companyId: from.canonicalId, intoId: into.canonicalId, rule, memberIds: from.members });
    for (const member of from.members) this.#groupOf.set(member, into);
    into.members = [...into.members, ...from.members];
    into.facts = joinFacts(into.facts, from.facts);
  }

  #mayNotMerge(one: Group, other: Group): boolean {
    if (this.#doNotMerge.size === 0) return false;
    return one.members.some((a) => other.members.some((b) => this.#doNotMerge.has(`${a} ${b}`)));
  }

  #index(companyId: bigint, facts: CompanyFacts): void {
    for (const key of RULES.flatMap((rule) => keysOf(rule, facts))) {
      const companies = this.#companiesWith.get(key) ?? new Set();
      this.#companiesWith.set(key, companies.add(companyId));
    }
  }
}

function keysOf(rule: ResolutionRule, facts: CompanyFacts): string[] {
  switch (rule) {
    case 'identifier':
      return numbersOf(facts, true);
    case 'shared_identifier':
      return numbersOf(facts, false);
    case 'hostname':
      return [...facts.hostnames];
    case 'name':
      return namesOf(facts.names);
    case 'former_name':
      return namesOf(facts.formerNames).map(formerly);
  }
}

function numbersOf({ identifiers }: CompanyFacts, identifying: boolean): string[] {
  return identifiers.flatMap(({ scheme, value }) => (identifies(scheme) === identifying ? `${scheme} ${value}` : []));
}

function namesOf(names: readonly Pick<FactName, 'country' | 'nameKey'>[]): string[] {
  return names.flatMap(({ country, nameKey }) => (nameKey === '' ? [] : `${country}/${nameKey}`));
}

function formerly(key: string): string {
  return `formerly ${key}`;
}
