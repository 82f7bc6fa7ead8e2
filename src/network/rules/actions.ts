import type { World } from '../../world/world.ts'
import type { Layer } from '../carriers/behaviour.ts'
import { type Consulted, consult, type Dispatched, type IdentifiedRule } from './rules.ts'
import { type RuleDefinition, type RuleRow, ruleStore } from './store.ts'

export type { RuleDefinition, RuleRow }

/** Lists the active rules, in their order. */
const definitionsOf = (world: World): readonly IdentifiedRule[] => world.store(ruleStore).definitions()

/** Evaluates the rules for a message as if it were dispatched now, without counting. */
export const consultRules = (
  world: World,
  message: Dispatched,
  carrier: string | null,
  stronger: readonly Layer[],
): Consulted =>
  consult(definitionsOf(world), message, carrier, {
    stronger,
    counts: ({ id }) => world.store(ruleStore).counts(id),
    draw: ({ id }) => world.random('rule', id, message.id),
  })

type RuleLayer = Layer & { readonly name: string | undefined }

/** Finds the rule that decides on a message which is dispatched now, and near misses. Undefined if there is no rule. */
export function applyRules(
  world: World,
  message: Dispatched,
  carrier: string | null,
  stronger: readonly Layer[],
): { layer: RuleLayer | undefined; misses: Consulted['misses'] } | undefined {
  if (definitionsOf(world).length === 0) return undefined
  const { hit, seen, misses } = consultRules(world, message, carrier, stronger)
  for (const rule of seen) world.store(ruleStore).count(rule.id, rule === hit)
  return { layer: hit && { from: hit.id, sets: hit.sets, name: hit.name ?? undefined }, misses }
}

/** Lists the rules in their order, with their counts. */
export const rulesOf = (world: World): RuleRow[] => world.store(ruleStore).list()

export const ruleById = (world: World, id: string): RuleRow | undefined => world.store(ruleStore).get(id)

export const appendRule = (world: World, id: string, definition: RuleDefinition) =>
  world.store(ruleStore).append(id, definition, world.now())

/** Replaces the definition of a rule and keeps its counts. */
export const redefineRule = (world: World, id: string, definition: RuleDefinition) =>
  world.store(ruleStore).redefine(id, definition)

export const resetCount = (world: World, id: string) => world.store(ruleStore).resetCount(id)

export const arrangeRules = (world: World, ids: readonly string[]) => world.store(ruleStore).arrange(ids)

/** Removes a rule; those behind it move up. */
export function removeRule(world: World, id: string) {
  const store = world.store(ruleStore)
  store.remove(id)
  store.arrange(store.list().map((rule) => rule.id))
}

export const clearRules = (world: World): number => world.store(ruleStore).clear()
