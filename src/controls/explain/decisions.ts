import { type Behaviour, type Layer, strongest } from '../../network/carriers/behaviour.ts'
import type { Plan } from '../../network/carriers/rules.ts'
import { formatRange, type Range } from '../../words/range.ts'
import { formatShare } from '../../words/share.ts'
import type { ChannelType } from '../../words/vocabulary.ts'
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
export function said({ from, name, sets }: NamedLayer, ...fields: (keyof Behaviour)[]): Reason {
  const values = fields
    .filter((field) => sets[field] !== undefined)
    .map((field) => `${field} ${asText(sets[field])}`)
    .join(', ')
  const about = subjectOf(from)
  if (about === 'rule') return was('rule', `${named(from, name)}: ${values}`, { id: from })
  if (about === 'by hand') return was(about, `${values}, as it was triggered`)
  return was(about, about === 'magic recipient' ? `${values}, whatever else is set` : `${values}, as it is set`)
}

const named = (rule: string, name: string | undefined) => (name === undefined ? rule : `${rule} (${name})`)

const asText = (value: unknown): string =>
  typeof value === 'object' ? formatRange(value as Range) : typeof value === 'string' ? value : JSON.stringify(value)

export interface Delay {
  stage: Stage
  field?: keyof Behaviour
  /** Of whom the range is, where nobody set the field. */
  owner: string
  range: Range
  draw: string
  afterMs: number
}

/** How long a step takes. */
export function delay(decided: Decided, { stage, field, owner, range, draw, afterMs }: Delay): Decision[] {
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
export function whether(
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
