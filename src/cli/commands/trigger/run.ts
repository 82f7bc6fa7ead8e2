import { operations } from '../../../client/operations.ts'
import {
  allowedWith,
  entryOf,
  isTrigger,
  type TriggerField,
  type TriggerName,
  triggerNames,
} from '../../../controls/triggers/table.ts'
import { optionKey } from '../../generate/flags.ts'
import { remindOfStop } from '../../nouns/handsets/answer.ts'
import { usage } from '../../process/exit.ts'
import { objectIn } from '../../process/files.ts'
import { LAST, messageIdOf } from '../../session/last-sent.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'
import { requireSandbox } from '../../target/emulator-only.ts'
import { alternatives, FLAGS, flagsOf } from './flags.ts'
import { inWords } from './tell.ts'

export function list({ output }: Session, event: string | undefined) {
  if (event !== undefined) throw usage('Pass an event or --list, not both.')
  const triggers = triggerNames.map((name) => {
    const { does: what, needs, moves } = entryOf(name)
    return { event: name, moves, flags: flagsOf(name), does: what, needs }
  })
  output.data({ triggers }, (paint) =>
    triggers
      .map((one) => `${paint.bold(one.event)}  ${one.flags}\n  ${one.does}\n  ${paint.dim(`Needs ${one.needs}.`)}`)
      .join('\n'),
  )
  return Promise.resolve()
}

type Body = Record<string, unknown>

export async function trigger(session: Session, eventName: string | undefined, options: Record<string, unknown>) {
  const body: Body = options.data === undefined ? {} : await objectIn(session.io, String(options.data))
  const event = eventName ?? body.event
  if (typeof event !== 'string') throw usage('Missing event.', 'To list the events: sandbox trigger --list')
  // An unknown event is sent as well, because the sandbox names the nearest one.
  const fields: Body = isTrigger(event) ? { ...body, ...fieldsFrom(event, options, body) } : { ...body }
  if (fields.message_id === LAST && !session.endpoint.showing)
    await requireSandbox(session.endpoint, operations.events.trigger)
  if (fields.message_id !== undefined) fields.message_id = await messageIdOf(String(fields.message_id), session)
  const triggered = await callOperation(session, 'events.trigger', { payload: { ...fields, event } })
  session.output.data(triggered, (paint, shown) => inWords(shown, fields, paint))
  if (triggered.answer) await remindOfStop(session, triggered.answer)
}

/** Turns flags into fields. A flag that stands for two fields sets the one that the event takes. */
function fieldsFrom(event: TriggerName, options: Record<string, unknown>, body: Body): Body {
  const allowed = allowedWith(event)
  const fieldOf = (name: TriggerField) => options[optionKey(FLAGS[name])] ?? body[name]
  const hint = `It takes ${flagsOf(event)}.`
  const foreignFlag = Object.values(FLAGS).find(
    (flag) => options[optionKey(flag)] !== undefined && !allowed.some((name) => FLAGS[name] === flag),
  )
  if (foreignFlag) throw usage(`${foreignFlag} is not for ${event}.`, hint)
  const missing = entryOf(event).one.filter((group) => group.every((name) => fieldOf(name) === undefined))
  if (missing.length > 0) throw usage(`${event} needs ${missing.map(alternatives).join(' and ')}.`, hint)
  return Object.fromEntries(allowed.map((name) => [name, fieldOf(name)]))
}
