import { type Act, act } from '../api/act.ts'

/** How time passes, and how far it goes. */

export const advance = (by: string): Act => act(`clock advance ${by}`, 'clock', 'advance', { by })

export const advanceTo = (to: string): Act => act(`clock advance --to ${to}`, 'clock', 'advance', { to })

export const advanceToNext = (): Act => act('clock advance --next', 'clock', 'advance', { next: true })

export const setMode = (mode: 'real' | 'frozen' | 'auto'): Act => act(`clock mode ${mode}`, 'clock', 'mode', { mode })

export const scale = (factor: number): Act =>
  act(`clock mode scaled:${factor}`, 'clock', 'mode', { mode: 'scaled', factor })
