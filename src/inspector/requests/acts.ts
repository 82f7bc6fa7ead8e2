import { type Act, act } from '../api/act.ts'

export const clear = (): Act => act('logs clear', 'logs', 'clear')
