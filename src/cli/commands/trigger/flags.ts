import { entryOf, type TriggerField, type TriggerName } from '../../../controls/triggers/table.ts'

/** The flag of each field. The two kinds of reason share one, since no event takes both. */
export const FLAGS: Readonly<Record<TriggerField, string>> = {
  message_id: '--message',
  phone: '--phone',
  agent_id: '--agent',
  consent_record_id: '--record',
  contact_id: '--contact',
  campaign_id: '--campaign',
  failure_reason: '--reason',
  rejection_reason: '--reason',
  bounce_type: '--bounce-type',
  url: '--url',
  index: '--index',
  text: '--text',
  carrier: '--carrier',
}

export const alternatives = (group: readonly TriggerField[]) => group.map((name) => FLAGS[name]).join('|')

/** The flags of an event for help: one of each group of alternatives. */
export function flagsOf(event: TriggerName): string {
  const { one, may = [] } = entryOf(event)
  const shown = new Set(one.flat())
  const optional = may.map((group) => group.filter((name) => !shown.has(name))).filter((group) => group.length > 0)
  return [...one.map(alternatives), ...optional.map((group) => `[${alternatives(group)}]`)].join(' ')
}
