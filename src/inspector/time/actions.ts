import { type PageAction, pageAction, withWords } from '../api/page-action.ts'

export const advance = (by: string): PageAction => pageAction('clock', 'advance', { by })

export const advanceTo = (to: string): PageAction => pageAction('clock', 'advance', { to })

export const advanceToNext = (): PageAction => pageAction('clock', 'advance', { next: true })

export const setMode = (mode: 'real' | 'frozen' | 'auto'): PageAction =>
  withWords(`clock mode ${mode}`, 'clock', 'mode', { mode })

export const scale = (factor: number): PageAction =>
  withWords(`clock mode scaled:${factor}`, 'clock', 'mode', { mode: 'scaled', factor })
