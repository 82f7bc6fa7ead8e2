import type { LAUNCH_STATUSES } from '../../words/statuses.ts'
import { type PageAction, pageAction } from '../api/page-action.ts'

export const submit = (id: string): PageAction => pageAction('agents', 'submit', id)
export const review = (id: string, outcome: 'approved' | 'rejected'): PageAction =>
  pageAction('agents', 'review', id, { outcome })
export const suspend = (id: string): PageAction => pageAction('agents', 'suspend', id)
export const reinstate = (id: string): PageAction => pageAction('agents', 'reinstate', id)

export const setLaunch = (id: string, carrier: string, status: (typeof LAUNCH_STATUSES)[number]): PageAction =>
  pageAction('agents', 'setLaunch', id, { carrier, status })
