import { advanceClock, health, setClockMode, showClock } from './control/contract.ts'

/** Every operation by noun and verb: what the client, the CLI and the documents are made from. */
export const api = {
  clock: { show: showClock, advance: advanceClock, mode: setClockMode },
  world: { health },
} as const

export type Api = typeof api
