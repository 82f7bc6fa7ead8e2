import { carrierNames, magicLayer } from '../../network/carriers/actions.ts'
import type { RuleDefinition, RuleRow } from '../../network/rules/actions.ts'
import type { Match } from '../../network/rules/contract.ts'
import { isPattern, recipientOf } from '../../network/rules/pattern.rules.ts'
import { hasSay, isUnconditional, isWider } from '../../network/rules/rules.ts'
import { agentsOf } from '../../service/agents/actions.ts'
import { messageTypesOf, trafficTypesOf } from '../../service/agents/rules.ts'
import { senderById, TEST_CHANNEL_ID, testAgent } from '../../service/agents/shared.ts'
import { campaignsOf } from '../../service/campaigns/actions.ts'
import { channelById, channelsOf, isSmsPreviewed, templatesOf } from '../../service/channels/actions.ts'
import { normalPhone } from '../../words/phone-number.ts'
import type { Detail } from '../../words/problem.ts'
import { suggest } from '../../words/suggest.ts'
import type { ChannelType, ConsentType } from '../../words/vocabulary.ts'
import type { World } from '../../world/world.ts'
import {
  type ChannelLimit,
  channelsWithin,
  contradiction,
  contradictionsIn,
  limitsOfBehaviour,
  withImplied,
} from './contradictions.ts'

export type RuleInput = Omit<RuleDefinition, 'channels'>

/** Returns a rule in its stored form, or everything that keeps it from ever applying. */
export function checkRule(world: World, input: RuleInput): { definition: RuleDefinition } | { details: Detail[] } {
  const recipient = input.match.to === undefined ? undefined : recipientOf(input.match.to)
  const match = recipient ? { ...input.match, to: recipient.to } : input.match
  const sets = withImplied(input.sets)
  const faults = [
    ...(input.match.to !== undefined && !recipient ? [contradiction('match.to', noAddress(input.match.to))] : []),
    ...unknownIn(world, match),
    ...contradictionsIn(input.sets),
  ]
  if (faults.length > 0) return { details: faults }
  const limits = [
    ...(recipient ? [limit('match.to', 'is an address of', recipient.channels)] : []),
    ...limitsOf(world, match),
    ...limitsOfBehaviour(sets),
  ]
  const { channels, conflict } = channelsWithin(limits)
  if (conflict) return { details: [conflict] }
  const definition = { ...input, match, sets, channels }
  const details = [...senderFaults(world, match), ...contentFaults(definition), ...magicFaults(world, definition)]
  return details.length > 0 ? { details } : { definition }
}

function noAddress(to: string): string {
  const number = normalPhone(to)
  const hint = number === undefined ? '' : `; write ${number}`
  return `is not a phone number in international format, an email address or a pattern of one${hint}`
}

const limit = (field: string, says: string, channels: readonly ChannelType[]): ChannelLimit => ({
  field,
  says: `${says} ${channels.join(' and ')}`,
  channels,
})

function unknownIn(world: World, match: Match): Detail[] {
  const namesByCriterion: { [C in keyof Match]?: () => string[] } = {
    agent_id: () => [...agentsOf(world).map(({ agent_id }) => agent_id), testAgent(world).agent_id],
    channel_id: () => [...channelsOf(world).map(({ channel_id }) => channel_id), TEST_CHANNEL_ID],
    campaign_id: () => campaignsOf(world).map(({ campaign_id }) => campaign_id),
    template_id: () => templatesOf(world).map(({ template_id }) => template_id),
    carrier: () => carrierNames(world),
  }
  return Object.entries(namesByCriterion).flatMap(([criterion, namesOf]) => {
    const input = match[criterion as keyof Match]
    if (input === undefined) return []
    const names = namesOf()
    if (names.includes(input)) return []
    const near = suggest(input, names) || (criterion === 'carrier' ? `; carriers: ${names.join(', ')}` : '')
    return [contradiction(`match.${criterion}`, `${input} does not exist in this world${near}`, 'not_found')]
  })
}

/** Lists the channels that each criterion leaves. */
function limitsOf(world: World, match: Match): ChannelLimit[] {
  const limits: ChannelLimit[] = []
  const add = (field: keyof Match, says: string, channels: readonly ChannelType[]) =>
    void limits.push(limit(`match.${field}`, says, channels))
  if (!isSmsPreviewed(world))
    limits.push({ field: 'SMS', says: 'is not available in this world', channels: ['RCS', 'EMAIL'] })
  if (match.channel) add('channel', 'is', [match.channel])
  if (match.agent_id) add('agent_id', 'is for', ['RCS'])
  if (match.channel_id) add('channel_id', 'is a channel of', [typeOf(world, match.channel_id)])
  if (match.template_id) add('template_id', 'is a template for', [templateTypeOf(world, match.template_id)])
  if (match.carrier) add('carrier', 'carries', ['RCS', 'SMS'])
  if (match.traffic_type) add('traffic_type', 'has an effect on', ['RCS', 'SMS'])
  if (match.message_type === 'CONVERSATION') add('message_type', 'CONVERSATION exists on', ['RCS'])
  if (match.content_type === 'HTML') add('content_type', 'HTML exists on', ['EMAIL'])
  if (match.content_type === 'INTERACTIVE') add('content_type', 'INTERACTIVE exists on', ['RCS'])
  return limits
}

const typeOf = (world: World, channelId: string): ChannelType =>
  channelId === TEST_CHANNEL_ID ? 'RCS' : (channelById(world, channelId)!.type as ChannelType)

const templateTypeOf = (world: World, id: string): ChannelType =>
  templatesOf(world).find(({ template_id }) => template_id === id)!.channel_type as ChannelType

/** Finds sends that this sender cannot make, or that a carrier refuses before rules apply. */
const senderFaults = (world: World, match: Match): Detail[] => [
  ...(match.agent_id ? agentFaults(world, match.agent_id, match) : []),
  ...(match.channel_id ? channelFaults(world, match.channel_id, match) : []),
]

function agentFaults(world: World, id: string, { message_type, traffic_type }: Match): Detail[] {
  const { status, use_case, newsletter_enabled } = senderById(world, id)!
  const faults: Detail[] = []
  if (message_type === 'NEWSLETTER' && !newsletter_enabled)
    faults.push(
      contradiction(
        'match.message_type',
        `the agent was created without newsletter_enabled, so no NEWSLETTER is accepted`,
      ),
    )
  // A draft may still change its use case.
  if (status === 'DRAFT') return faults
  if (message_type && !messageTypesOf[use_case].includes(message_type))
    faults.push(
      contradiction('match.message_type', `an agent for ${use_case} may not send ${message_type}, so none is accepted`),
    )
  if (traffic_type && !trafficTypesOf[use_case].includes(traffic_type))
    faults.push(
      contradiction(
        'match.traffic_type',
        `an agent for ${use_case} cannot send ${traffic_type}: the carrier fails it with REJECTED_SPAM before any rule is checked`,
      ),
    )
  return faults
}

function channelFaults(world: World, id: string, { agent_id, message_type }: Match): Detail[] {
  if (id === TEST_CHANNEL_ID) return agent_id && agent_id !== testAgent(world).agent_id ? [notOfAgent] : []
  const channel = channelById(world, id)!
  if (channel.type === 'RCS') return agent_id && channel.agent_id !== agent_id ? [notOfAgent] : []
  if (!channel.active)
    return [contradiction('match.channel_id', 'the channel is inactive, so every send through it is refused')]
  if (channel.type === 'EMAIL' && !channel.domain_verified)
    return [
      contradiction(
        'match.channel_id',
        'the domain of the channel is not verified, so every send through it is refused',
      ),
    ]
  return message_type && !channel.message_types.includes(message_type as ConsentType)
    ? [contradiction('match.message_type', `the channel does not permit ${message_type}`)]
    : []
}

const notOfAgent = contradiction('match.channel_id', 'is the channel of an agent other than match.agent_id')

function contentFaults({ match: { content_type, template_id }, sets }: RuleDefinition): Detail[] {
  if (template_id && content_type && content_type !== 'TEMPLATE')
    return [contradiction('match.content_type', 'is TEMPLATE for every message that is made from a template')]
  return content_type === 'TEXT' && sets.taps !== undefined
    ? [contradiction('behaviour.taps', 'a message of content_type TEXT has no suggestions')]
    : []
}

/** A magic recipient's outcome is stronger than any rule (docs/network.md). */
function magicFaults(world: World, { match: { to }, sets, channels }: RuleDefinition): Detail[] {
  const magic = to === undefined || isPattern(to) ? undefined : magicLayer(world, to)
  if (!magic) return []
  const { rcs_capable, does } = magic.sets as { rcs_capable?: boolean; does?: string }
  const behaviour = does === undefined ? '' : ` (${does})`
  if (rcs_capable === false && channels.every((channel) => channel === 'RCS'))
    return [contradiction('match.to', `${to} is a magic recipient without RCS: every send to it is a 404`)]
  if (channels.some((channel) => hasSay(sets, [magic], channel))) return []
  return [
    contradiction(
      'match.to',
      `${to} is a magic recipient${behaviour}, which overrides rules; choose an ordinary address`,
    ),
  ]
}

/** Lists rules that hide this one, and rules that it hides. */
export function shadows(rules: readonly RuleRow[], written: string): Detail[] {
  const at = rules.findIndex(({ id }) => id === written)
  const rule = rules[at]!
  const covers = (wide: RuleRow, narrow: RuleRow) => isUnconditional(wide) && isWider(wide, narrow)
  const before = rules.slice(0, at).find((earlier) => covers(earlier, rule))
  if (before)
    return [
      contradiction(
        'match',
        `${named(before)} comes first and decides every message that this rule matches; to check this rule first, set before: ${before.id}`,
        'shadowed',
      ),
    ]
  const behind = rules.slice(at + 1).find((later) => covers(rule, later))
  return behind
    ? [
        contradiction(
          'match',
          `decides every message that the later rule ${named(behind)} matches, so that one would never apply; remove it, or place this rule after it`,
          'shadows',
        ),
      ]
    : []
}

const named = ({ id, name }: RuleRow) => (name === null ? id : `${id} (${name})`)
