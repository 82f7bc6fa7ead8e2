import type { LAUNCH_STATUSES } from '../../words/statuses.ts'
import { type PageAction, userAction } from '../api/user-action.ts'

export const submit = (id: string): PageAction => userAction(`agents submit ${id}`, 'agents', 'submit', id)
export const review = (id: string, outcome: 'approved' | 'rejected'): PageAction =>
  userAction(`agents review ${id} --outcome ${outcome}`, 'agents', 'review', id, { outcome })
export const suspend = (id: string): PageAction => userAction(`agents suspend ${id}`, 'agents', 'suspend', id)
export const reinstate = (id: string): PageAction => userAction(`agents reinstate ${id}`, 'agents', 'reinstate', id)

export const setLaunch = (id: string, carrier: string, status: (typeof LAUNCH_STATUSES)[number]): PageAction =>
  userAction(`agents set-launch ${id} ${carrier} ${status}`, 'agents', 'setLaunch', id, { carrier, status })
