import { type Behaviour, type Layer, strongest } from '../carriers/behaviour.ts'
import type { CarrierProfile, MailProfile } from '../carriers/contract.ts'
import type { Plan } from '../carriers/rules.ts'
import { formatRange, type Range } from '../words/range.ts'
import { formatShare } from '../words/share.ts'
import type { ChannelType } from '../words/vocabulary.ts'
import type { Reason, Subject } from './contract.ts'
import { drawn, was } from './reason.ts'

/** What led to each part of a plan: who had the say, or which share and which draw. */

export type Stage =
  | 'outcome'
  | 'deliver'
  | 'fail'
  | 'bounce'
  | 'read'
  | 'answer'
  | 'open'
  | 'click'
  | 'complain'
  | 'unsubscribe'

export interface Decision {
  stage: Stage
  reason: Reason
}

/** A rule may have a name, which it had when the plan was made. */
export type NamedLayer = Layer & { readonly name?: string | undefined }

export interface Decided {
  channel: ChannelType
  plan: Plan
  layers: readonly NamedLayer[]
  isRefused: boolean
  draw: (decision: string) => number
  /** An email has something to click on. */
  hasLink: boolean
}

const ms = (value: number) => `${value} ms`

const OTHERS = ['by hand', 'magic recipient', 'handset', 'mailbox'] as const satisfies Subject[]

const subjectOf = (from: string): Subject => OTHERS.find((other) => other === from) ?? 'rule'

/** What somebody above the carrier has set. */
function said({ from, name, sets }: NamedLayer, ...fields: (keyof Behaviour)[]): Reason {
  const values = fields
    .filter((field) => sets[field] !== undefined)
    .map((field) => `${field} ${shown(sets[field])}`)
    .join(', ')
  const about = subjectOf(from)
  if (about === 'rule') return was('rule', `${named(from, name)}: ${values}`, { id: from })
  if (about === 'by hand') return was(about, `${values}, as it was triggered`)
  return was(about, about === 'magic recipient' ? `${values}, whatever else is set` : `${values}, as it is set`)
}

const named = (rule: string, name: string | undefined) => (name === undefined ? rule : `${rule} (${name})`)

const shown = (value: unknown): string =>
  typeof value === 'object' ? formatRange(value as Range) : typeof value === 'string' ? value : JSON.stringify(value)

interface Delay {
  stage: Stage
  field?: keyof Behaviour
  /** Of whom the range is, where nobody set the field. */
  owner: string
  range: Range
  draw: string
  afterMs: number
}

/** How long a step takes. */
function delay(decided: Decided, { stage, field, owner, range, draw, afterMs }: Delay): Decision[] {
  const layer = field && strongest(decided.layers, field)
  const used = (layer ? layer.sets[field!] : range) as Range
  const isFixed = used.lowMs === used.highMs
  const number = decided.draw(draw)
  const by = layer ? `, as ${decidedBy(layer)} has it` : ` of ${owner}`
  const how = isFixed ? '' : `: ${drawn(number)}`
  const reason = was('delay', `${ms(afterMs)}, ${formatRange(used)}${by}${how}`, {
    draw: isFixed ? undefined : number,
  })
  return [{ stage, reason: layer && subjectOf(layer.from) === 'rule' ? { ...reason, id: layer.from } : reason }]
}

const decidedBy = ({ from, name }: NamedLayer) => (subjectOf(from) === 'rule' ? named(from, name) : `the ${from}`)

/** Whether something happens: somebody says so, or a draw against a share. */
function whether(
  decided: Decided,
  stage: Stage,
  field: keyof Behaviour,
  draw: string,
  share: number,
  owner: string,
): Decision {
  const layer = strongest(decided.layers, field)
  if (layer) return { stage, reason: said(layer, field) }
  if (share === 0 || share === 1)
    return { stage, reason: was('draw', `${share === 1 ? '' : 'not '}${field}: ${formatShare(share)} at ${owner}`) }
  const number = decided.draw(draw)
  const says =
    number < share
      ? `${field}: ${drawn(number)} is below ${share}, the share at ${owner}`
      : `not ${field}: ${drawn(number)} is not below ${share}, the share at ${owner}`
  return { stage, reason: was('draw', says, { draw: number }) }
}

/** Of an RCS message or an SMS. */
export function decisionsOfPhone(decided: Decided, carrier: CarrierProfile): Decision[] {
  const { plan, layers, isRefused } = decided
  const failure = (afterMs: number) =>
    delay(decided, { stage: 'fail', owner: carrier.name, range: carrier.failure_delay, draw: 'failure delay', afterMs })
  if (isRefused && plan.outcome === 'failed')
    return [
      { stage: 'outcome', reason: was('refusal', REFUSALS[plan.reason] ?? plan.reason) },
      ...failure(plan.afterMs),
    ]
  const decisions = [outcomeOfPhone(decided, carrier)]
  if (plan.outcome === 'failed') return [...decisions, ...failure(plan.afterMs)]
  if (plan.outcome !== 'delivered') return decisions
  const layer = strongest(layers, 'outcome')
  const failsOnRcs = layer
    ? layer.sets.outcome === 'failed'
    : byShares(carrier, decided.draw('outcome')) !== 'delivered'
  if (failsOnRcs)
    decisions.push({ stage: 'outcome', reason: was('carrier', 'that is a failure of RCS alone: an SMS arrives') })
  decisions.push(
    ...delay(decided, {
      stage: 'deliver',
      ...(failsOnRcs ? {} : { field: 'delivery_delay' as const }),
      owner: carrier.name,
      range: carrier.delivery_delay,
      draw: 'delivery delay',
      afterMs: plan.afterMs,
    }),
  )
  return decided.channel === 'SMS' ? decisions : [...decisions, ...decisionsOfReader(decided, carrier, plan)]
}

/** What a carrier turns away before anybody else is asked (interface §2.7, §6). */
const REFUSALS: Readonly<Record<string, string>> = {
  REJECTED_SPAM:
    'the carrier rejects a traffic_type that the use case of the agent does not permit; nobody else is asked',
  CARRIER_NOT_LAUNCHED: 'the agent was not live on this carrier; nobody else is asked',
  UNKNOWN_RCS_USER: 'the phone had no RCS any more; nobody else is asked',
}

function outcomeOfPhone(decided: Decided, carrier: CarrierProfile): Decision {
  const layer = strongest(decided.layers, 'outcome')
  if (layer) return { stage: 'outcome', reason: said(layer, 'outcome', 'failure_reason') }
  const parts = sharesOf(carrier)
  if (parts.length === 0)
    return { stage: 'outcome', reason: was('carrier', `delivered: nothing fails on ${carrier.name}`) }
  const number = decided.draw('outcome')
  const text = parts.map(({ name, upTo }) => `${name} below ${upTo}`).join(', ')
  return {
    stage: 'outcome',
    reason: was('draw', `${byShares(carrier, number)}: ${drawn(number)}; on ${carrier.name} ${text}, else delivered`, {
      draw: number,
    }),
  }
}

function sharesOf({ failed, never_delivered }: CarrierProfile): { name: string; upTo: number }[] {
  let upTo = 0
  return [...Object.entries(failed), ['never delivered', never_delivered] as const]
    .filter(([, share]) => share > 0)
    .map(([name, share]) => {
      upTo = Number((upTo + share).toPrecision(12))
      return { name, upTo }
    })
}

const byShares = (carrier: CarrierProfile, draw: number): string =>
  sharesOf(carrier).find(({ upTo }) => draw < upTo)?.name ?? 'delivered'

function decisionsOfReader(
  decided: Decided,
  carrier: CarrierProfile,
  { steps }: Plan & { outcome: 'delivered' },
): Decision[] {
  const { layers } = decided
  const owner = carrier.name
  const decisions = [whether(decided, 'read', 'read', 'read', carrier.read, owner)]
  const silent = strongest(layers, 'read', 'read_receipts')
  if (silent?.sets.read_receipts === false) decisions.push({ stage: 'read', reason: said(silent, 'read_receipts') })
  for (const step of steps) {
    if (step.does === 'read')
      decisions.push(
        ...delay(decided, {
          stage: 'read',
          field: 'read_delay',
          owner,
          range: carrier.read_delay,
          draw: 'read delay',
          afterMs: step.afterMs,
        }),
      )
    if (step.does !== 'reply' && step.does !== 'tap') continue
    const layer = strongest(layers, 'replies', 'taps')
    if (layer) decisions.push({ stage: 'answer', reason: said(layer, 'replies', 'taps') })
    decisions.push(
      ...delay(decided, {
        stage: 'answer',
        field: 'reply_delay',
        owner,
        range: carrier.read_delay,
        draw: 'reply delay',
        afterMs: step.afterMs,
      }),
    )
  }
  return decisions
}

const SERVER = 'the mail server'

/** Of an email. */
export function decisionsOfEmail(decided: Decided, mail: MailProfile): Decision[] {
  const { plan, layers } = decided
  const layer = strongest(layers, 'outcome')
  const decisions: Decision[] = [
    layer
      ? { stage: 'outcome', reason: said(layer, 'outcome', 'bounce_type') }
      : { stage: 'outcome', reason: outcomeByServer(mail, decided.draw('bounce')) },
  ]
  if (plan.outcome === 'never_delivered') return decisions
  const stage = plan.outcome === 'delivered' ? 'deliver' : 'bounce'
  decisions.push(
    ...delay(decided, {
      stage,
      field: 'delivery_delay',
      owner: SERVER,
      range: mail.delivery_delay,
      draw: 'delivery delay',
      afterMs: plan.afterMs,
    }),
  )
  return plan.outcome === 'delivered' ? [...decisions, ...decisionsOfMailbox(decided, mail, plan)] : decisions
}

const outcomeByServer = ({ bounced }: MailProfile, draw: number): Reason =>
  bounced === 0
    ? was('draw', `delivered: nothing bounces at ${SERVER}`)
    : was(
        'draw',
        `${draw < bounced ? 'bounced' : 'delivered'}: ${drawn(draw)}; bounced below ${bounced}, else delivered`,
        { draw },
      )

function decisionsOfMailbox(
  decided: Decided,
  mail: MailProfile,
  { steps }: Plan & { outcome: 'delivered' },
): Decision[] {
  const { hasLink } = decided
  const decisions: Decision[] = []
  const taken = (does: string) => steps.find((step) => step.does === does)?.afterMs
  const add = (
    stage: Stage,
    field: keyof Behaviour,
    draw: string,
    share: number,
    after: Omit<Delay, 'stage' | 'owner' | 'afterMs'>,
  ) => {
    decisions.push(whether(decided, stage, field, draw, share, SERVER))
    const afterMs = taken(stage)
    if (afterMs !== undefined) decisions.push(...delay(decided, { stage, owner: SERVER, afterMs, ...after }))
  }
  const open = { field: 'open_delay' as const, range: mail.open_delay }
  const click = { field: 'click_delay' as const, range: mail.click_delay }
  add('open', 'opened', 'open', mail.opened, { ...open, draw: 'open delay' })
  if (!hasLink)
    decisions.push({ stage: 'click', reason: was('content', 'the email has no link that could be clicked') })
  else if (taken('open') !== undefined)
    add('click', 'clicked', 'click', mail.clicked, { ...click, draw: 'click delay' })
  add('complain', 'complained', 'complaint', mail.complained, { range: mail.open_delay, draw: 'complaint delay' })
  if (taken('unsubscribe') !== undefined)
    add('unsubscribe', 'unsubscribed', '', 0, { ...click, draw: 'unsubscription delay' })
  return decisions
}
