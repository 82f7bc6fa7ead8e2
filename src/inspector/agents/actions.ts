import type { LAUNCH_STATUSES } from '../../words/statuses.ts'
import { type UserAction, userAction } from '../api/user-action.ts'

export const submit = (id: string): UserAction => userAction(`agents submit ${id}`, 'agents', 'submit', id)
export const review = (id: string, outcome: 'approved' | 'rejected'): UserAction =>
  userAction(`agents review ${id} --outcome ${outcome}`, 'agents', 'review', id, { outcome })
export const suspend = (id: string): UserAction => userAction(`agents suspend ${id}`, 'agents', 'suspend', id)
export const reinstate = (id: string): UserAction => userAction(`agents reinstate ${id}`, 'agents', 'reinstate', id)

export const setLaunch = (id: string, carrier: string, status: (typeof LAUNCH_STATUSES)[number]): UserAction =>
  userAction(`agents set-launch ${id} ${carrier} ${status}`, 'agents', 'setLaunch', id, { carrier, status })
