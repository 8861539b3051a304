import { type CompanyFacts, joinFacts } from './company-facts.ts';
import { formsAgree, mayBeOne, type ResolutionRule } from './same-company.ts';
import type { ResolutionVocabulary } from './vocabulary.ts';

/** A company with the survivor of its group. */
export interface Member {
  readonly companyId: bigint;
  readonly survivorId: bigint;
  readonly facts: CompanyFacts;
}

/** A survivor that became part of another group, with everybody who moved. */
export interface Merge {
  readonly companyId: bigint;
  readonly intoId: bigint;
  readonly rule: ResolutionRule;
  readonly memberIds: readonly bigint[];
}

interface Group {
  survivorId: bigint;
  members: bigint[];
  facts: CompanyFacts;
}

const RULES: readonly ResolutionRule[] = ['identifier', 'hostname', 'name'];

/** Groups of companies that are one, and what tells them: what a batch says is placed among them company by company. */
export class Groups {
  readonly merges: Merge[] = [];
  readonly #vocabulary: ResolutionVocabulary;
  readonly #groupOf = new Map<bigint, Group>();
  readonly #companiesWith = new Map<string, Set<bigint>>();
  readonly #apart = new Set<string>();

  constructor(
    vocabulary: ResolutionVocabulary,
    members: readonly Member[],
    apart: readonly (readonly [bigint, bigint])[],
  ) {
    this.#vocabulary = vocabulary;
    for (const [one, other] of apart) this.#apart.add(`${one} ${other}`).add(`${other} ${one}`);
    const bySurvivor = new Map<bigint, Group>();
    for (const { companyId, survivorId, facts } of members) {
      const group = bySurvivor.get(survivorId);
      if (group) {
        group.members.push(companyId);
        group.facts = joinFacts(group.facts, facts);
      } else bySurvivor.set(survivorId, { survivorId, members: [companyId], facts });
      this.#groupOf.set(companyId, bySurvivor.get(survivorId) as Group);
      this.#index(companyId, facts);
    }
  }

  survivorOf(companyId: bigint): bigint {
    return this.#groupOf.get(companyId)?.survivorId ?? companyId;
  }

  /**
   * Adds what a record says about a company, known or new, and merges what the rules take for one, strongest rule first.
   * Where several others could be meant, none is taken.
   */
  place(companyId: bigint, facts: CompanyFacts): void {
    const group = this.#groupOf.get(companyId);
    if (group) group.facts = joinFacts(group.facts, facts);
    else this.#groupOf.set(companyId, { survivorId: companyId, members: [companyId], facts });
    this.#index(companyId, facts);
    for (const rule of RULES) {
      const candidates = this.#candidates(rule, companyId, facts);
      if (rule !== 'identifier' && candidates.length > 1) continue;
      for (const candidate of candidates) this.#merge(rule, companyId, candidate);
    }
  }

  #candidates(rule: ResolutionRule, companyId: bigint, facts: CompanyFacts): Group[] {
    const own = this.#groupOf.get(companyId);
    const companies = keysOf(rule, facts).flatMap((key) => [...(this.#companiesWith.get(key) ?? [])]);
    const groups = new Set(companies.flatMap((id) => this.#groupOf.get(id) ?? []));
    return [...groups].filter((group) => group !== own && (rule !== 'name' || formsAgree(facts, group.facts)));
  }

  #merge(rule: ResolutionRule, companyId: bigint, other: Group): void {
    const own = this.#groupOf.get(companyId);
    if (!own || own === other || this.#areApart(own, other)) return;
    if (!mayBeOne(this.#vocabulary, rule, own.facts, other.facts)) return;
    const [into, from] = own.survivorId < other.survivorId ? [own, other] : [other, own];
    this.merges.push({ companyId: from.survivorId, intoId: into.survivorId, rule, memberIds: from.members });
    for (const member of from.members) this.#groupOf.set(member, into);
    into.members = [...into.members, ...from.members];
    into.facts = joinFacts(into.facts, from.facts);
  }

  #areApart(one: Group, other: Group): boolean {
    if (this.#apart.size === 0) return false;
    return one.members.some((a) => other.members.some((b) => this.#apart.has(`${a} ${b}`)));
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
      return facts.identifiers.map(({ scheme, value }) => `${scheme} ${value}`);
    case 'hostname':
      return [...facts.hostnames];
    case 'name':
      return facts.names.flatMap(({ country, key }) => (key === '' ? [] : [`${country}/${key}`]));
  }
}
