import type { World } from '../../world/world.ts'
import type { Layer } from '../carriers/behaviour.ts'
import { type Asked, type Consulted, consult, type Dispatched } from './rules.ts'
import { ruleStore } from './store.ts'

/** The rules as they are asked, in their order. */
export const rulesAsked = (world: World): readonly Asked[] => world.store(ruleStore).definitions()

/** What the rules would say of a message now. Nothing is counted. */
export const consultRules = (
  world: World,
  message: Dispatched,
  carrier: string | null,
  stronger: readonly Layer[],
): Consulted =>
  consult(rulesAsked(world), message, carrier, {
    stronger,
    hits: ({ id }) => world.store(ruleStore).hits(id),
    draw: ({ id }) => world.random('rule', id, message.id),
  })

type RuleLayer = Layer & { readonly name: string | undefined }

/** The rule that has a say in a message that is dispatched now, and what came close. Undefined where there is no rule. */
export function applyRules(
  world: World,
  message: Dispatched,
  carrier: string | null,
  stronger: readonly Layer[],
): { layer: RuleLayer | undefined; misses: Consulted['misses'] } | undefined {
  if (rulesAsked(world).length === 0) return undefined
  const { hit, seen, misses } = consultRules(world, message, carrier, stronger)
  for (const rule of seen) world.store(ruleStore).count(rule.id, rule === hit)
  return { layer: hit && { from: hit.id, sets: hit.sets, name: hit.name ?? undefined }, misses }
}
