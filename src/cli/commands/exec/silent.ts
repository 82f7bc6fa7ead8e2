import type { RelayListener } from '../../../relay/relay.ts'

const nothing = () => {}

/** The terminal belongs to the command that is run; what became of deliveries is in the bundle of a failure. */
export const silent: RelayListener = {
  connected: nothing,
  lost: nothing,
  newLog: nothing,
  waiting: nothing,
  dropped: nothing,
  event: nothing,
  targetIs: nothing,
}
