import type { Flow } from './flow.ts'
import type { MadeDelivery, PlayResult } from './play.ts'

/** Names ids and addresses in order of appearance, so that equal runs read alike. */
function namer() {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  return (text: string) =>
    text.replace(ID, (id) => {
      const known = names.get(id)
      if (known) return known
      const kind = KINDS.find(([begins]) => id.startsWith(begins))![1]
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      const name = `${kind} ${counts.get(kind)}`
      names.set(id, name)
      return name
    })
}

const KINDS = [
  ['msg_', 'message'],
  ['c_', 'contact'],
  ['run_', 'run'],
  ['evt_', 'event'],
  ['+', 'phone'],
  ['person-', 'mailbox'],
  ['2', 'instant'],
] as const
const ID =
  /\b(?:msg|c|run|evt)_[0-9a-f]{8}-[0-9a-f-]{27}|\+49\d{11,13}|person-\d+@example\.test|\b2\d{3}-\d\d-\d\dT[\d:.]+Z/g

/** Describes deliveries and findings, one line each. */
export function storyOf({ name, summary }: Flow, { deliveries, findings }: PlayResult): string {
  const known = namer()
  const lines = deliveries.map(
    (delivery, i) =>
      `  ${i + 1}. ${delivery.name}${known(subjectOf(delivery))}${befallen(delivery)} → ${delivery.status ?? 'no answer'}${afterwards(delivery)}`,
  )
  const told = findings.map(({ code, message }) => `  ✗ ${code}: ${known(message)}`)
  return [`${name}: ${summary.toLowerCase()}`, ...lines, ...told].join('\n')
}

function subjectOf({ body }: MadeDelivery): string {
  const { data } = JSON.parse(body) as { data: Record<string, unknown> }
  const { text } = (data.user_message ?? {}) as { text?: string }
  const about = data.message_id ?? data.run_id ?? data.contact_id ?? data.from ?? data.with
  const what = [text === undefined ? undefined : JSON.stringify(text), about === undefined ? undefined : `of ${about}`]
  return what.map((part) => (part === undefined ? '' : ` ${part}`)).join('')
}

const BEFALLEN: Readonly<Record<MadeDelivery['how'], string>> = {
  plain: '',
  again: 'once more',
  late: 'late, after what followed it',
  lost: 'and its answer is lost',
  'behind 503': 'late, because the first attempt met a 503 before it reached the handler',
  overlapping: 'twice at once, because the first attempt ran into the time limit',
  unusual: 'in unusual JSON, signed as it is',
  forged: 'forged: another id under the same signature',
  'old secret': 'forged: signed with the old secret',
}

const befallen = ({ how, attempt, rotatesBefore }: MadeDelivery) => {
  const parts = [
    rotatesBefore ? 'after the secret was rotated' : '',
    BEFALLEN[how],
    attempt > 1 ? `attempt ${attempt}` : '',
  ]
  const said = parts.filter(Boolean).join(', ')
  return said && ` (${said})`
}

const afterwards = ({ restartsAfter, repeats }: MadeDelivery) =>
  `${repeats > 0 ? `, and to ${repeats} more ${repeats === 1 ? 'attempt' : 'attempts'}` : ''}${restartsAfter ? ', then the handler is restarted' : ''}`
