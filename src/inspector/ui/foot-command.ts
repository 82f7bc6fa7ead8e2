import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { commandOf, lastAction, type PageAction } from '../api/page-action.ts'
import { place } from '../api/place.ts'
import { later } from '../api/time.ts'

/** The command of the control that was focused last, or on which the pointer rested last, unless an action came after. */
export const footCommand = signal<{ owner: object; command: string; because: string | undefined } | undefined>(
  undefined,
)

/** Commands and results belong to their page, and an action replaces the command of its control, which may change. */
export function followActionsAndPages() {
  effect(() => {
    if (lastAction.value) clear()
  })
  let before = ''
  effect(() => {
    const { namespace, page, id } = place.value
    const now = `${namespace} ${page} ${id}`
    if (now === before) return
    before = now
    clear()
    lastAction.value = undefined
  })
}

function clear() {
  stopRest()
  footCommand.value = undefined
}

/** Passing over a control on the way to another one does not show its command. */
const REST_MS = 150

/** Only one control can have the pointer, and focus or another page ends its rest. */
let stopRest = () => {}

/** Events of a control that show its command at the foot, and why it is impossible: a finger sees no tooltip. */
export function useFootCommand(act: PageAction, because?: string) {
  const owner = useRef({}).current
  const command = commandOf(act)
  const show = () => {
    stopRest()
    footCommand.value = { owner, command, because }
  }
  useEffect(() => {
    // The action of a control changes with what is typed, and a switch becomes its opposite.
    if (footCommand.value?.owner === owner) show()
  }, [command, because])
  useEffect(() => () => stopRest(), [])
  const rest = () => {
    stopRest()
    stopRest = later(REST_MS, show)
  }
  return { command, show, events: { onFocus: show, onPointerEnter: rest, onPointerLeave: () => stopRest() } }
}
