import { type PageAction, pageAction } from '../api/page-action.ts'

export const clear = (): PageAction => pageAction('logs', 'clear')
