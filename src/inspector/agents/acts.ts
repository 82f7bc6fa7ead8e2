import { type Act, act } from '../api/act.ts'

export const submit = (id: string): Act => act(`agents submit ${id}`, 'agents', 'submit', id)
export const review = (id: string, outcome: 'approved' | 'rejected'): Act =>
  act(`agents review ${id} --outcome ${outcome}`, 'agents', 'review', id, { outcome })
export const suspend = (id: string): Act => act(`agents suspend ${id}`, 'agents', 'suspend', id)
export const reinstate = (id: string): Act => act(`agents reinstate ${id}`, 'agents', 'reinstate', id)

export const LAUNCHES = ['UNLAUNCHED', 'PENDING', 'LAUNCHED', 'REJECTED', 'SUSPENDED'] as const

export const setLaunch = (id: string, carrier: string, status: (typeof LAUNCHES)[number]): Act =>
  act(`agents set-launch ${id} ${carrier} ${status}`, 'agents', 'setLaunch', id, { carrier, status })
