import { type UserAction, userAction } from '../api/user-action.ts'

export const clear = (): UserAction => userAction('logs clear', 'logs', 'clear')
