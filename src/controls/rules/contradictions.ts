import type { Behaviour } from '../../network/carriers/behaviour.ts'
import { isOfRcsAlone } from '../../network/carriers/plan.rules.ts'
import { MAIL, PHONES } from '../../network/rules/pattern.rules.ts'
import type { Detail } from '../../words/problem.ts'
import { ChannelType } from '../../words/vocabulary.ts'

/** Finds contradictions within a rule, without looking at the world. */

/** The channels that a part of a rule allows, and the reason. */
export interface ChannelLimit {
  field: string
  says: string
  channels: readonly ChannelType[]
}

const RCS: readonly ChannelType[] = ['RCS']

/** The channels of each kind of behaviour; those not listed exist on all. */
const CHANNELS_OF: Partial<Record<keyof Behaviour, readonly ChannelType[]>> = {
  failure_reason: PHONES,
  bounce_type: MAIL,
  read: RCS,
  read_receipts: RCS,
  read_delay: RCS,
  opened: MAIL,
  open_delay: MAIL,
  clicked: MAIL,
  click_delay: MAIL,
  complained: MAIL,
  unsubscribed: MAIL,
  replies: RCS,
  taps: RCS,
  reply_delay: RCS,
}

export function limitsOfBehaviour(sets: Behaviour): ChannelLimit[] {
  const limits = (Object.keys(sets) as (keyof Behaviour)[])
    .filter((field) => sets[field] !== undefined && CHANNELS_OF[field])
    .map(
      (field): ChannelLimit => ({
        field: `behaviour.${field}`,
        says: `exists on ${list(CHANNELS_OF[field]!)} only`,
        channels: CHANNELS_OF[field]!,
      }),
    )
  if (sets.outcome === 'failed') limits.push(outcome('an email bounces instead of failing', PHONES))
  if (sets.outcome === 'bounced') limits.push(outcome('only email bounces', MAIL))
  if (sets.failure_reason && isOfRcsAlone(sets.failure_reason))
    limits.push({ field: 'behaviour.failure_reason', says: `${sets.failure_reason} exists on RCS only`, channels: RCS })
  return limits
}

const outcome = (says: string, channels: readonly ChannelType[]): ChannelLimit => ({
  field: 'behaviour.outcome',
  says,
  channels,
})

const list = (channels: readonly ChannelType[]) => channels.join(' and ')

/** Intersects limits: returns the channels left, or the two limits that exclude each other. */
export function channelsWithin(limits: readonly ChannelLimit[]): {
  channels: readonly ChannelType[]
  conflict?: Detail
} {
  let left: readonly ChannelType[] = ChannelType.options
  for (const [i, limit] of limits.entries()) {
    const next = left.filter((channel) => limit.channels.includes(channel))
    if (next.length === 0) {
      const against = limits
        .slice(0, i)
        .findLast(({ channels }) => !limit.channels.some((one) => channels.includes(one)))
      const other = against ? `, but ${against.field} ${against.says}` : `, but the rest leaves ${list(left)} only`
      return { channels: [], conflict: contradiction(limit.field, `${limit.says}${other}`) }
    }
    left = next
  }
  return { channels: left }
}

export const contradiction = (field: string, message: string, code = 'never_matches'): Detail => ({
  field,
  code,
  message,
})

/** Behaviour that needs delivery; the two exceptions describe another end. */
const AFTER_DELIVERY = (Object.keys(CHANNELS_OF) as (keyof Behaviour)[]).filter(
  (field) => field !== 'failure_reason' && field !== 'bounce_type',
)

type ContradictionCheck = (sets: Behaviour) => Detail | undefined

const needs =
  (field: keyof Behaviour, isMet: (sets: Behaviour) => boolean, message: string): ContradictionCheck =>
  (sets) =>
    sets[field] === undefined || isMet(sets) ? undefined : contradiction(`behaviour.${field}`, message)

/** Each check refuses a field that contradicts the rest of the behaviour. */
const checks: readonly ContradictionCheck[] = [
  (sets) =>
    Object.values(sets).some((value) => value !== undefined)
      ? undefined
      : contradiction(
          'behaviour',
          'has no effect: pass an outcome, a delay or a behaviour of the recipient',
          'required',
        ),
  (sets) =>
    sets.outcome === 'failed' && sets.failure_reason === undefined
      ? contradiction('behaviour.failure_reason', 'is required with the outcome failed', 'required')
      : undefined,
  needs('failure_reason', ({ outcome }) => outcome === 'failed', 'is never used without the outcome failed'),
  needs('bounce_type', ({ outcome }) => outcome === 'bounced', 'is never used without the outcome bounced'),
  needs(
    'delivery_delay',
    ({ outcome }) => outcome !== 'failed' && outcome !== 'never_delivered',
    'is never used where nothing is delivered',
  ),
  ...AFTER_DELIVERY.map((field) =>
    needs(
      field,
      ({ outcome }) => outcome === undefined || outcome === 'delivered',
      'needs a message that is delivered',
    ),
  ),
  needs('taps', ({ replies }) => replies === undefined, 'cannot be combined with replies: there is one answer'),
  ...(['replies', 'taps', 'read_receipts', 'reply_delay', 'read_delay'] as const).map((field) =>
    needs(field, ({ read }) => read !== false, 'needs a message that is read'),
  ),
  needs('clicked', ({ clicked, opened }) => !clicked || opened !== false, 'needs an email that is opened'),
  needs('open_delay', ({ opened }) => opened !== false, 'needs an email that is opened'),
  needs(
    'click_delay',
    ({ opened, clicked }) => opened !== false && clicked !== false,
    'needs an email that is clicked',
  ),
]

export const contradictionsIn = (sets: Behaviour): Detail[] => {
  const found = checks.map((check) => check(sets)).filter((detail) => detail !== undefined)
  return found.filter(({ field }, i) => found.findIndex((other) => other.field === field) === i)
}

/** Adds what a rule implies: an answer implies reading, and a click implies opening. */
export function withImplied(sets: Behaviour): Behaviour {
  const answers = sets.replies !== undefined || sets.taps !== undefined
  return {
    ...sets,
    ...(answers && sets.read === undefined ? { read: true } : {}),
    ...(sets.clicked && sets.opened === undefined ? { opened: true } : {}),
  }
}
