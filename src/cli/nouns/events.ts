import type { AnswerTo } from '../../client/answers.ts'
import { addReplay } from '../commands/events/replay/index.ts'
import { addTail } from '../commands/events/tail/index.ts'
import type { NounCommands } from '../generate/noun.ts'
import type { Paint } from '../output/paint.ts'
import { record, render } from '../output/render.ts'
import { subjectOption } from '../session/last-sent.ts'

type Delivery = AnswerTo<'events.show'>['deliveries'][number]
type Attempt = Delivery['attempts'][number]

const attemptLine = ({ number, at, status_code, duration_ms, error, fault }: Attempt, paint: Paint) =>
  [
    `  ${number}  ${paint.dim(at)}  ${status_code ?? 'no answer'}${duration_ms === 0 ? '' : paint.dim(`  ${duration_ms} ms`)}`,
    ...(error ? [paint.red(error)] : []),
    ...(fault ? [paint.dim(`fault ${fault}`)] : []),
  ].join('  ')

const nextIn = ({ next_attempt_at, waits_for }: Pick<Delivery, 'next_attempt_at' | 'waits_for'>): string =>
  waits_for
    ? ` for ${waits_for.event} ${waits_for.event_id}${nextIn(waits_for)}`
    : next_attempt_at
      ? `, next attempt ${next_attempt_at}`
      : ''

const deliveryLines = (
  { id, endpoint_id, url, status, next_attempt_at, waits_for, attempts, replay }: Delivery,
  paint: Paint,
) => [
  `to ${url ?? endpoint_id}  ${paint.bold(status)}${paint.dim(nextIn({ next_attempt_at, waits_for }))}  ${id}${replay ? `  replayed: ${paint.bold(replay.status)}` : ''}`,
  ...attempts.map((attempt) => attemptLine(attempt, paint)),
]

const OUTCOME = ['error', 'response', 'fault'] as const

/** A delivery whose attempts have what is new of their outcome: not null, and not as in the attempt before. */
const shortened = ({ attempts, ...rest }: Delivery): Delivery => ({
  ...rest,
  attempts: attempts.map((attempt, i) => {
    const { error: _, response: __, fault: ___, ...made } = attempt
    const isNew = (name: (typeof OUTCOME)[number]) =>
      attempt[name] !== null && attempt[name] !== attempts[i - 1]?.[name]
    return { ...made, ...Object.fromEntries(OUTCOME.filter(isNew).map((name) => [name, attempt[name]])) } as Attempt
  }),
})

/** What can be done with listed deliveries. */
function nextSteps(listed: readonly Delivery[], paint: Paint): string[] {
  const next = listed.flatMap((one) => (one.waits_for ?? one).next_attempt_at ?? []).sort()[0]
  return [
    ...(next ? [['Next attempt now', `clock advance --to ${next}`]] : []),
    ...(listed.length > 0
      ? [
          ['Signed request', 'events delivery <id>'],
          ['Deliver again', 'events replay <event>'],
          ...(listed.some(({ status, replay }) => status === 'failed' && !replay)
            ? [['Deliver all failed again', 'events replay --failed']]
            : []),
        ]
      : []),
  ].map(([title, command]) => `${title}  ${paint.command(command!)}`)
}

const whyNone = (request: Readonly<Record<string, unknown>>) =>
  ['endpoint_id', 'event_id', 'status', 'event', 'subject', 'cursor'].some((name) => request[name] !== undefined)
    ? ' match'
    : ': no endpoint has been subscribed to an event yet'

const COLUMNS = ['seq', 'event', 'timestamp', 'id']

const reads = { subject: subjectOption }

export const commands: NounCommands<'events'> = {
  verbs: {
    list: {
      reads,
      columns: COLUMNS,
      // Newest first, as in `messages list`; with --since or --after oldest first, to be read on.
      defaults: ({ after, since, from }) =>
        after === undefined && since === undefined && from === undefined ? { order: 'newest' } : {},
      examples: [
        'sandbox events list --event "message.*" --limit 20',
        'sandbox events list --subject msg_… --after 120',
      ],
      forPeople: ({ events: listed, has_more, first_seq, dropped }, paint, { order }) =>
        [
          ...(dropped > 0
            ? [paint.dim(`${dropped} older events were dropped; the log is complete from ${first_seq} on`)]
            : []),
          render({ events: listed }, paint, { columns: COLUMNS }),
          // Ids may not fit, and a position is as good.
          ...(listed.length > 0 ? [paint.dim('events show and events replay also accept the seq of an event')] : []),
          ...(has_more ? [paint.dim(`more: --${order === 'newest' ? 'before' : 'after'} ${listed.at(-1)!.seq}`)] : []),
        ].join('\n'),
    },
    show: {
      args: { id: { describe: 'id of the event, or its position in the log' } },
      examples: ['sandbox events show evt_…', 'sandbox events show 42'],
      forPeople: ({ seq, id, event, timestamp, data, deliveries }, paint) =>
        [
          `${paint.bold(event)}  ${id}  ${paint.dim(`${timestamp} · event ${seq}`)}`,
          record(data, paint),
          '',
          ...(deliveries.length === 0 ? [paint.dim('no deliveries: no endpoint was subscribed to it')] : []),
          ...deliveries.flatMap((delivery) => deliveryLines(delivery, paint)),
        ].join('\n'),
    },
    deliveries: {
      reads,
      shorten: (answer) => ({ ...answer, data: answer.data.map(shortened) }),
      notes:
        'An attempt shows error, response and fault only if they differ from the attempt before. With --query, every attempt shows them.',
      examples: [
        'sandbox events deliveries --subject last',
        'sandbox events deliveries --status failed --query "data[].[event,next_attempt_at,attempts[].[at,error]]"',
      ],
      forPeople: ({ data, next_cursor }, paint, request) =>
        [
          ...(data.length === 0 ? [paint.dim(`no deliveries${whyNone(request)}`)] : []),
          ...data.flatMap((one) => [`${paint.bold(one.event)}  ${one.event_id}`, ...deliveryLines(one, paint)]),
          ...(next_cursor ? [paint.dim(`more: --cursor ${next_cursor}`)] : []),
          ...nextSteps(data, paint),
        ].join('\n'),
    },
    sendEdited: {
      examples: [`sandbox events send-edited evt_… --endpoint-id <id> --body '{"event": "message.read"}'`],
    },
    cursor: { examples: ['sandbox events cursor dev'] },
    moveCursor: {
      done: 'cursor {name} is at event {seq}',
      examples: ['sandbox events move-cursor dev --seq 42'],
    },
    // Hand-written in events/replay.ts, which can also forward to a URL.
    replay: { skip: true },
    // Hand-written as `sandbox expect`, which waits at a service too.
    wait: { skip: true },
    // Hand-written as `sandbox trigger`.
    trigger: { skip: true },
  },
  handWritten: [addTail, addReplay],
}
