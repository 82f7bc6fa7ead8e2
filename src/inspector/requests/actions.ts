import { type PageAction, userAction } from '../api/user-action.ts'

export const clear = (): PageAction => userAction('logs clear', 'logs', 'clear')
