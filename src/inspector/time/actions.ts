import { type PageAction, pageAction } from '../api/page-action.ts'

/** Actions on the clock. */

export const advance = (by: string): PageAction => pageAction(`clock advance ${by}`, 'clock', 'advance', { by })

export const advanceTo = (to: string): PageAction => pageAction(`clock advance --to ${to}`, 'clock', 'advance', { to })

export const advanceToNext = (): PageAction => pageAction('clock advance --next', 'clock', 'advance', { next: true })

export const setMode = (mode: 'real' | 'frozen' | 'auto'): PageAction =>
  pageAction(`clock mode ${mode}`, 'clock', 'mode', { mode })

export const scale = (factor: number): PageAction =>
  pageAction(`clock mode scaled:${factor}`, 'clock', 'mode', { mode: 'scaled', factor })
