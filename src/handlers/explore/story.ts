import type { FailedAnswer } from '../../scenarios/deliveries.ts'
import { uncapitalised } from '../../words/sentence.ts'
import { isAccepted } from '../post.ts'
import { throwing } from './finding.ts'
import type { Flow } from './flow.ts'
import { type PlayResult, peopleOf } from './parts.ts'
import { isAfterOthers } from './remedies.ts'
import { deliveryWords, type MadeDelivery, type Pause } from './schedule.ts'
import { quoted } from './wording.ts'

/** Names ids and addresses in order of appearance, so that equal runs read alike. */
function namer() {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  return (text: string) =>
    text
      .replace(ID, (id) => {
        const existing = names.get(id)
        if (existing) return existing
        const kind = KINDS.find(([prefix]) => id.startsWith(prefix))![1]
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
        const name = `${kind} ${counts.get(kind)}`
        names.set(id, name)
        return name
      })
      .replace(PART_OF_ADDRESS, '$1…')
}

/** An address from which the application has taken something away: its reader sees what is left, without the number. */
const PART_OF_ADDRESS = /\b(person-|4[39])\d+(?=[+@"])/g

const KINDS = [
  ['msg_', 'message'],
  ['c_', 'contact'],
  ['cr_', 'consent record'],
  ['run_', 'run'],
  ['evt_', 'event'],
  ['ag_draft_', 'agent'],
  ['+', 'phone'],
  ['person-', 'mailbox'],
  ['2', 'instant'],
  // An application may derive it from an id.
  ['the key ', 'key'],
] as const
const ID =
  /\b(?:msg|c|cr|run|evt|ag_draft)_[0-9a-f]{8}-[0-9a-f-]{27}|\+4[39]\d{11,13}|person-\d+\+(?:news|offers)@example\.test|\b2\d{3}-\d\d-\d\dT[\d:.]+Z|\bthe key \S+/g

/** Describes deliveries, findings and remedies, one line each. Undisturbed deliveries in a row share a line. */
export function storyOf(
  { name, summary }: Pick<Flow, 'name' | 'summary'>,
  { schedule, deliveries, findings }: PlayResult,
  remedies: readonly string[],
): string {
  const named = namer()
  const lines = linesOf(deliveries, schedule.crowd ? isAlike : areUneventful).flatMap(({ from, to, of }) => {
    const number = from === to ? `${from + 1}.` : `${from + 1}.–${to + 1}.`
    const shown = of.slice(0, schedule.crowd ? 1 : of.length)
    const others = of.length - shown.length
    const events = [
      ...shown.map((delivery) => `${delivery.name}${named(subjectOf(delivery))}`),
      ...(others > 0 ? [`and of ${others} more`] : []),
    ].join(', ')
    const last = of.at(-1)!
    const answer = `${last.status ?? 'no answer'}${named(throwing(last.thrown))}`
    return [
      `  ${number} ${events}${disturbance(last)} → ${answer}${afterwards(last)}`,
      ...new Set(refusedIn(of).map((call) => `     the application calls ${named(call)}`)),
    ]
  })
  const found = findings.map(({ code, message }) => `  ✗ ${code}: ${named(message)}`)
  return [
    `${name}: ${uncapitalised(summary)}`,
    ...(schedule.twice ? [schedule.perturbations.length > 0 ? PERHAPS_TWICE : TWICE] : []),
    ...(schedule.crowd ? [inACrowdOf(peopleOf(schedule))] : []),
    ...(isAfterOthers(schedule.earlier, findings) ? [AFTER_OTHERS] : []),
    ...lines,
    ...found,
    ...remedies.map((remedy) => `  → ${remedy}`),
  ].join('\n')
}

const AFTER_OTHERS =
  '  It fails only after other flows, in the same process: something of them was kept in memory, such as a variable or a buffer.'
const TWICE =
  '  It fails only when the same happens to two people at once: each event arrives together with that of the other person.'

const PERHAPS_TWICE =
  '  It fails when the same happens to two people at once: each event arrives together with that of the other person. For one person it may fail less often.'

const inACrowdOf = (people: number) =>
  `  It fails only when the same happens to ${people} people at once: each event arrives together with those of the others.`

/** Of a crowd, those of one person say enough. */
const refusedIn = (of: readonly MadeDelivery[]): readonly string[] =>
  of.find(({ refusedCalls }) => refusedCalls.length > 0)?.refusedCalls ?? []

interface Line {
  from: number
  to: number
  of: MadeDelivery[]
}

type Pair = (one: MadeDelivery, other: MadeDelivery) => boolean

function linesOf(deliveries: readonly MadeDelivery[], sharesLine: Pair): Line[] {
  const lines: Line[] = []
  for (const [i, delivery] of deliveries.entries()) {
    const last = lines.at(-1)
    if (last && last.of[0]!.status === delivery.status && sharesLine(last.of[0]!, delivery)) {
      last.to = i
      last.of.push(delivery)
    } else lines.push({ from: i, to: i, of: [delivery] })
  }
  return lines
}

const areUneventful: Pair = (one, other) => isUneventful(one) && isUneventful(other)

/** Deliveries of one event of a crowd. */
const isAlike: Pair = (one, other) =>
  one.name === other.name && disturbance(one) === disturbance(other) && afterwards(one) === afterwards(other)

const isUneventful = (delivery: MadeDelivery) =>
  delivery.how === 'plain' &&
  isAccepted(delivery) &&
  delivery.refusedCalls.length === 0 &&
  disturbance(delivery) === '' &&
  afterwards(delivery) === ''

function subjectOf({ body }: MadeDelivery): string {
  const { data } = JSON.parse(body) as { data: Record<string, unknown> }
  const { text } = (data.user_message ?? {}) as { text?: string }
  const about = data.message_id ?? data.run_id ?? data.contact_id ?? data.from ?? data.with
  const what = [text === undefined ? undefined : quoted(text), about === undefined ? undefined : `of ${about}`]
  return what.map((part) => (part === undefined ? '' : ` ${part}`)).join('')
}

const KILLED = {
  arrival: 'the application is killed on arrival, and started again',
  work: 'the application is killed during the work, and started again',
  answer: 'the application is killed just before its answer, and started again',
  read: 'the application is killed when its read reaches the sandbox, which does not answer it, and started again',
  call: 'the application is killed when its call reaches the sandbox, which does not carry it out, and started again',
  effect: 'the application is killed when its call was carried out, before it gets the answer, and started again',
} as const

const FAILED_CALL: Readonly<Record<FailedAnswer, string>> = {
  503: 'and the first send of the application, and its first other change, are answered 503, without any effect',
  429: 'and the first call of the application is answered 429, without any effect',
  none: 'and the first accepted call of the application loses its answer',
  502: 'and the first two calls of the application get a page of a proxy, with 502 and then with 429, without any effect',
  402: 'and the balance is empty until it is reloaded, so that each send is answered 402',
  404: 'and each send of the application to this person is answered 404, because the phone has no RCS',
  part: 'and the answers to its first read and to its first change end in the middle of the body',
  late: 'and calls of the application are answered only when it has arrived for all people',
  never: 'and the first call of the application has no effect, and is never answered',
}

const disturbance = ({ how, attempt, after, rotatesBefore, killsAt, failsCall, isOvertaken }: MadeDelivery) => {
  const parts = [
    rotatesBefore ? 'after the secret was rotated' : '',
    deliveryWords[how],
    after ? pauseInWords(after) : '',
    attempt > 1 ? `attempt ${attempt}` : '',
    killsAt ? KILLED[killsAt] : '',
    failsCall ? FAILED_CALL[failsCall.answer] : '',
    failsCall?.seconds && failsCall.answer === '429' ? `with a Retry-After of ${failsCall.seconds} s` : '',
    isOvertaken ? 'and the next event arrives before the retry' : '',
  ]
  const text = parts.filter(Boolean).join(', ')
  return text && ` (${text})`
}

const pauseInWords = ({ others, seconds }: Pause) =>
  others > 0 ? `after ${others.toLocaleString('en')} events of other people` : `after ${seconds} s of machine time`

const RESTARTED = {
  killed: ', then the application is restarted',
  orderly: ', then the application gets SIGTERM, ends and is started again',
  ending: ', while the application ends after SIGTERM; then it is started again',
} as const

const afterwards = ({ restartsAfter, repeats }: MadeDelivery) =>
  `${repeats > 0 ? `, and to ${repeats} more ${repeats === 1 ? 'attempt' : 'attempts'}` : ''}${restartsAfter ? RESTARTED[restartsAfter] : ''}`
