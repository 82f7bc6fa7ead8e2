import { isSubscribed } from '../words/event-patterns.ts'
import type { ForwardTarget } from './forward.ts'

/** A target and the events that it gets. */
export interface ForwardRoute {
  target: ForwardTarget
  /** Event names, families or `*`; all by default. */
  events?: readonly string[] | undefined
  /** Nothing listened at the last attempt. */
  isDown: boolean
}

export const accepts = ({ events }: ForwardRoute, name: string): boolean =>
  events === undefined || isSubscribed(events, name)
