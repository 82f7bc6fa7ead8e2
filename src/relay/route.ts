import { isSubscribed } from '../words/event-patterns.ts'
import type { Target } from './forward.ts'

/** A target and what it gets. */
export interface Route {
  target: Target
  /** Names, families or `*`; everything unless given. */
  events?: readonly string[] | undefined
  /** Nobody listened there at the last try. */
  isDown: boolean
}

export const accepts = ({ events }: Route, name: string): boolean => events === undefined || isSubscribed(events, name)
