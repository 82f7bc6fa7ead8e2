import { z } from 'zod'
import { Behaviour } from '../../network/carriers/behaviour.ts'
import {
  appendRule,
  arrangeRules,
  clearRules,
  type RuleDefinition,
  type RuleRow,
  redefineRule,
  removeRule,
  resetCount,
  ruleById,
  rulesOf,
} from '../../network/rules/actions.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { definedFields, nonNullFields } from '../../words/fields.ts'
import { type Detail, type Problem, problem } from '../../words/problem.ts'
import { sentence } from '../../words/sentence.ts'
import { suggest } from '../../words/suggest.ts'
import { loadEach } from '../../world/file/entries.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { checkRule, type RuleInput, shadows } from './check.ts'
import type * as contract from './contract.ts'
import { MAX_RULES, type RuleEntry } from './contract.ts'

const toAnswer = ({ id, name, match, sets, channels, created_at, ...rule }: RuleRow, position: number) => ({
  ...{ id, position, name, match, behaviour: z.encode(Behaviour, sets) },
  ...rule,
  channels: [...channels],
  active: rule.times === null || rule.hits < rule.times,
  created_at: isoTime(created_at),
})

function answerById(world: World, id: string) {
  const rules = rulesOf(world)
  const at = rules.findIndex((rule) => rule.id === id)
  return toAnswer(rules[at]!, at + 1)
}

export const list: Action<typeof contract.listRules> = (world) => ({
  rules: rulesOf(world).map((rule, i) => toAnswer(rule, i + 1)),
})

export const show: Action<typeof contract.showRule> = (world, { params }) =>
  answerById(world, requireRule(world, params.id).id)

export const add: Action<typeof contract.addRule> = (world, { body }) => {
  const { position, before, behaviour, ...input } = body
  if (rulesOf(world).length >= MAX_RULES)
    throw problem('limit_exceeded', `A world has at most ${MAX_RULES} rules; remove some first.`)
  const id = append(world, { ...UNLIMITED, ...input, sets: behaviour })
  place(world, id, { position, before })
  refuse(shadows(rulesOf(world), id))
  return answerById(world, id)
}

const UNLIMITED = { name: null, times: null, every: null, share: null }

function append(world: World, input: RuleInput, id?: string): string {
  const definition = definitionOf(world, input)
  const newId = id ?? world.ids.next('rule_')
  appendRule(world, newId, definition)
  return newId
}

export const update: Action<typeof contract.updateRule> = (world, { params, body }) => {
  const { id, seen: _, hits: __, created_at: ___, channels: ____, ...before } = requireRule(world, params.id)
  const { position, before: next, match, behaviour, ...plain } = body
  const input: RuleInput = {
    ...before,
    ...definedFields(plain),
    match: changed(before.match, match),
    sets: changed(before.sets, behaviour),
  }
  redefineRule(world, id, definitionOf(world, input))
  if (body.times !== undefined || body.every !== undefined) resetCount(world, id)
  place(world, id, { position, before: next })
  refuse(shadows(rulesOf(world), id))
  return answerById(world, id)
}

/** Given fields replace; null removes. */
const changed = <T extends object>(before: T, change: object | undefined): T =>
  nonNullFields({ ...before, ...definedFields(change ?? {}) }) as T

export const remove: Action<typeof contract.removeRule> = (world, { params }) => {
  const rule = answerById(world, requireRule(world, params.id).id)
  removeRule(world, rule.id)
  return rule
}

export const clear: Action<typeof contract.clearRules> = (world) => ({ removed: clearRules(world) })

export function loadRules(world: World, entries: readonly RuleEntry[]) {
  const ids = new Set<string>()
  loadEach('rules', entries, ({ id, behaviour, ...input }) => {
    if (id !== undefined && ids.has(id)) throw brokenField('id', 'duplicate', 'another rule has the same id')
    ids.add(append(world, { ...UNLIMITED, ...input, sets: behaviour }, id))
  })
  const rules = rulesOf(world)
  loadEach('rules', rules, ({ id }, i) => refuse(shadows(rules.slice(0, i + 1), id)))
}

export function dumpRules(world: World): z.input<typeof contract.RuleEntry>[] | undefined {
  const entries = rulesOf(world).map(({ id, name, match, sets, times, every, share }) => ({
    id,
    name: name ?? undefined,
    match,
    behaviour: z.encode(Behaviour, sets),
    times: times ?? undefined,
    every: every ?? undefined,
    share: share ?? undefined,
  }))
  return entries.length > 0 ? entries : undefined
}

function definitionOf(world: World, input: RuleInput): RuleDefinition {
  const verdict = checkRule(world, input)
  if ('definition' in verdict) return verdict.definition
  throw neverMatching(verdict.details)
}

function refuse(details: Detail[]) {
  if (details.length > 0) throw neverMatching(details)
}

function neverMatching(details: readonly Detail[]): Problem {
  const [first] = details
  return problem('rule_never_matches', sentence(`${first!.field}: ${first!.message}`), { details: [...details] })
}

function requireRule(world: World, id: string): RuleRow {
  const rule = ruleById(world, id)
  if (rule) return rule
  const ids = rulesOf(world).map((one) => one.id)
  throw problem('not_found', `There is no rule ${id} in this world${suggest(id, ids) || '.'}`)
}

/** Moves a rule to the wanted place; without one it stays. */
function place(
  world: World,
  id: string,
  { position, before }: { position?: number | undefined; before?: string | undefined },
) {
  if (position === undefined && before === undefined) return
  const others = rulesOf(world).flatMap((rule) => (rule.id === id ? [] : [rule.id]))
  const at = before === undefined ? position! - 1 : others.indexOf(requireRule(world, before).id)
  if (at > others.length)
    throw brokenField('position', 'too_big', `must be at most ${others.length + 1}, the place after the last`)
  if (at < 0) throw brokenField('before', 'invalid_value', 'is the rule itself')
  arrangeRules(world, [...others.slice(0, at), id, ...others.slice(at)])
}
