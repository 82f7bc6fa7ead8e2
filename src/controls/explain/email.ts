import { type Behaviour, strongest } from '../../network/carriers/behaviour.ts'
import type { MailProfile } from '../../network/carriers/contract.ts'
import type { DeliveredPlan } from '../../network/carriers/rules.ts'
import type { Reason } from './contract.ts'
import { type Decided, type Decision, type Delay, delay, type Stage, said, whether } from './decisions.ts'
import { drawn, was } from './reason.ts'

const SERVER = 'the mail server'

/** What led to each part of the plan of an email. */
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

function decisionsOfMailbox(decided: Decided, mail: MailProfile, { steps }: DeliveredPlan): Decision[] {
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
