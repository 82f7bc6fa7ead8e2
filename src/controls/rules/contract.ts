import { z } from 'zod'
import { Behaviour } from '../../network/carriers/behaviour.ts'
import { Match } from '../../network/rules/contract.ts'
import type { About } from '../../words/about.ts'
import { clearable, requireChange } from '../../words/change.ts'
import { notBoth, rule, withRules } from '../../words/field-conditions.ts'
import { RuleId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { DelayText } from '../../words/range.ts'
import { POSITIVE_SHARE, Share } from '../../words/share.ts'
import { text } from '../../words/text.ts'
import { ChannelType } from '../../words/vocabulary.ts'

export const about: About = {
  name: 'rules',
  group: 'Simulated network',
  summary: 'Force outcomes for matching messages',
}

/** Every dispatched message is held against all rules of its world. */
export const MAX_RULES = 1_000

const Share0 = Share.refine((share) => share > 0, {
  error: 'must be more than 0, or the rule would never apply',
  params: { code: 'too_small' },
}).meta(POSITIVE_SHARE)

const Times = z.int().min(1).max(1_000_000)

const fields = {
  name: text(100, 1).optional().describe('Description for people.'),
  match: Match.prefault({}).describe('Criteria for messages (default: all messages).'),
  behaviour: Behaviour.describe('Forced outcome and behaviour. The carrier or mail server decides the rest.'),
  times: Times.optional().describe('Number of messages (default: unlimited).'),
  every: Times.optional().describe('Interval: only every nth match (default: 1).'),
  share: Share0.optional().describe('Random share of the matches, by the seed: 20% or 0.2 (default: all).'),
}

const place = {
  position: z.int().min(1).optional().describe('Position in the order, from 1 (default: last).'),
  before: RuleId.optional().describe('Id of the rule to insert before.'),
}

const onePlace = rule(notBoth('position', 'before'), {
  field: 'before',
  message: 'cannot be combined with position',
  code: 'conflict',
})

const NewRule = withRules(z.strictObject({ ...fields, ...place }), onePlace).meta({
  example: {
    match: { to: '+49171392005*' },
    behaviour: { outcome: 'failed', failure_reason: 'REJECTED_SPAM' },
    times: 3,
  },
})

/** An entry of the section `rules` of a world file; its position in the list is its place. */
export const RuleEntry = z.strictObject({
  id: RuleId.optional().describe('Id of the rule (default: generated). Random draws depend on it.'),
  ...fields,
})
export type RuleEntry = z.output<typeof RuleEntry>

const RuleChange = withRules(
  requireChange(
    z.strictObject({
      name: text(100, 1).nullable().optional().describe('Description for people.'),
      match: z.strictObject(clearable(Match.shape)).optional().describe('Criteria to change; null removes one.'),
      behaviour: z
        .strictObject(clearable(Behaviour.shape))
        .optional()
        .describe('Behaviour to change; null removes a field.'),
      times: Times.nullable().optional().describe('Number of messages to apply to, counted from now; null: unlimited.'),
      every: Times.nullable().optional().describe('Interval: only every nth match, counted from now; null: every one.'),
      share: Share0.nullable().optional().describe('Random share of the matching messages; null: all.'),
      ...place,
    }),
  ),
  onePlace,
).meta({ example: { times: 5 } })

/** The form in answers. */
const delay = (of: keyof typeof Behaviour.shape) => DelayText.optional().describe(Behaviour.shape[of].description!)
const AnsweredBehaviour = z.strictObject({
  ...Behaviour.shape,
  delivery_delay: delay('delivery_delay'),
  read_delay: delay('read_delay'),
  open_delay: delay('open_delay'),
  click_delay: delay('click_delay'),
  reply_delay: delay('reply_delay'),
})

export const Rule = z
  .strictObject({
    id: RuleId,
    position: z.int().describe('A rule. The first one that matches and wins its draw decides.'),
    name: z.string().nullable().describe('Description for people.'),
    match: Match.describe('Criteria for messages.'),
    behaviour: AnsweredBehaviour.describe('Forced outcome and behaviour.'),
    times: z.int().nullable().describe('Maximum number of uses; null: unlimited.'),
    every: z.int().nullable().describe('Interval: only every nth match; null: every one.'),
    share: z.number().nullable().describe('Random share of the matching messages; null: all.'),
    channels: z.array(ChannelType).describe('Channels of the rule, derived from match and behaviour.'),
    seen: z.int().describe('Number of matching messages while the rule was active.'),
    hits: z.int().describe('Number of messages that the rule decided.'),
    active: z.boolean().describe('Whether the rule is active; false after its last use.'),
    created_at: Timestamp.describe('Time at which the rule was added.'),
  })
  .meta({ id: 'Rule', description: 'Forced outcome and behaviour in one sentence.' })

const onRule = { access: 'namespace', params: { id: RuleId.describe('Id of the rule.') }, output: Rule } as const

export const addRule = operation({
  id: 'rules.add',
  summary: 'Add a rule that forces the outcome of matching messages',
  call: 'POST /_sandbox/rules',
  access: 'namespace',
  body: NewRule,
  output: Rule,
  status: 201,
  problems: ['rule_never_matches', 'limit_exceeded', 'not_found'],
})

export const listRules = operation({
  id: 'rules.list',
  summary: 'List rules in the order in which they apply',
  call: 'GET /_sandbox/rules',
  access: 'namespace',
  output: z.strictObject({ rules: z.array(Rule).describe('Rules in the order in which they apply.') }),
})

export const showRule = operation({
  ...onRule,
  id: 'rules.show',
  summary: 'Show a rule and its number of uses',
  call: 'GET /_sandbox/rules/{id}',
})

export const updateRule = operation({
  ...onRule,
  id: 'rules.update',
  summary: 'Change a rule or its position in the order',
  details: 'A new value of times or every restarts the count.',
  call: 'PATCH /_sandbox/rules/{id}',
  body: RuleChange,
  problems: ['rule_never_matches'],
})

export const removeRule = operation({
  ...onRule,
  id: 'rules.remove',
  summary: 'Remove a rule',
  call: 'DELETE /_sandbox/rules/{id}',
})

export const clearRules = operation({
  id: 'rules.clear',
  summary: 'Remove all rules',
  call: 'DELETE /_sandbox/rules',
  access: 'namespace',
  output: z.strictObject({ removed: z.int().describe('Number of rules removed.') }),
})
