import type { RelayListener } from '../../../relay/relay.ts'

const nothing = () => {}

/** Prints nothing: the terminal belongs to the command, and deliveries are in the bundle of a failure. */
export const silent: RelayListener = {
  connected: nothing,
  lost: nothing,
  newLog: nothing,
  waiting: nothing,
  dropped: nothing,
  event: nothing,
  onTargetState: nothing,
}
