import { isSubscribed } from '../words/event-patterns.ts'
import type { Target } from './forward.ts'

/** A target and the events that it gets. */
export interface Route {
  target: Target
  /** Event names, families or `*`; all by default. */
  events?: readonly string[] | undefined
  /** Nothing listened at the last attempt. */
  isDown: boolean
}

export const accepts = ({ events }: Route, name: string): boolean => events === undefined || isSubscribed(events, name)
