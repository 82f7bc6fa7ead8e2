import { type PageAction, userAction } from '../api/user-action.ts'

/** Actions on the clock. */

export const advance = (by: string): PageAction => userAction(`clock advance ${by}`, 'clock', 'advance', { by })

export const advanceTo = (to: string): PageAction => userAction(`clock advance --to ${to}`, 'clock', 'advance', { to })

export const advanceToNext = (): PageAction => userAction('clock advance --next', 'clock', 'advance', { next: true })

export const setMode = (mode: 'real' | 'frozen' | 'auto'): PageAction =>
  userAction(`clock mode ${mode}`, 'clock', 'mode', { mode })

export const scale = (factor: number): PageAction =>
  userAction(`clock mode scaled:${factor}`, 'clock', 'mode', { mode: 'scaled', factor })
