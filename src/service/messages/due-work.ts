import type { Plan } from '../../network/carriers/plan.rules.ts'
import type { LocalWork } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { dispatchNextWaiting, dispatchQueued } from './dispatch.ts'
import { answer } from './inbound.ts'
import { arrive, fail, followPlan, move, stepsOf } from './lifecycle.ts'
import type { Trigger } from './states.ts'
import { type MessageRow, messageStore } from './store.ts'

/** Reads the message of a due row. Its timer was deleted in this transaction. */
const due = (world: World, id: string): MessageRow | undefined => world.store(messageStore).getDue(id)

/** Creates the due work of one trigger. */
const work =
  (trigger: Trigger): LocalWork =>
  (world, { subject }) => {
    const row = due(world, subject)
    if (row) move(world, row, trigger)
  }

/** Creates the due work of a step that the recipient takes. */
const recipientWork =
  (trigger: Trigger): LocalWork =>
  (world, { subject, payload }) => {
    const row = due(world, subject)
    if (row) move(world, row, trigger, {}, () => followPlan(world, row, Number(payload) + 1))
  }

export const messageWork: Readonly<Record<string, LocalWork>> = {
  'message.dispatch': (world, { subject }) => {
    const row = due(world, subject)
    if (row) dispatchQueued(world, row)
  },
  'carrier.room': dispatchNextWaiting,
  'message.deliver': (world, { subject }) => {
    const row = due(world, subject)
    if (row) arrive(world, row)
  },
  'message.fail': (world, { subject }) => {
    const row = due(world, subject)
    const plan = row?.plan == null ? undefined : (JSON.parse(row.plan) as Plan)
    if (row && plan?.outcome === 'failed') fail(world, row, plan.reason)
  },
  'message.bounce': work('bounce'),
  'message.expire': work('expire'),
  'message.read': recipientWork('read'),
  'message.open': recipientWork('open'),
  'message.click': recipientWork('click'),
  'message.complain': recipientWork('complain'),
  'message.unsubscribe': recipientWork('unsubscribe'),
  'message.answer': (world, { subject, payload }) => {
    const row = due(world, subject)
    if (!row) return
    world.store(messageStore).setTimer(row.seq, null)
    const step = stepsOf(row).at(Number(payload))
    if (step?.does === 'reply' || step?.does === 'tap') answer(world, row, step)
  },
}
