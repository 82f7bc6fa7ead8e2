import { type UserAction, userAction } from '../api/user-action.ts'

/** Actions on the clock. */

export const advance = (by: string): UserAction => userAction(`clock advance ${by}`, 'clock', 'advance', { by })

export const advanceTo = (to: string): UserAction => userAction(`clock advance --to ${to}`, 'clock', 'advance', { to })

export const advanceToNext = (): UserAction => userAction('clock advance --next', 'clock', 'advance', { next: true })

export const setMode = (mode: 'real' | 'frozen' | 'auto'): UserAction =>
  userAction(`clock mode ${mode}`, 'clock', 'mode', { mode })

export const scale = (factor: number): UserAction =>
  userAction(`clock mode scaled:${factor}`, 'clock', 'mode', { mode: 'scaled', factor })
