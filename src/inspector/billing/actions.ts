import { type PageAction, userAction } from '../api/user-action.ts'

export const topUp = (amount: number): PageAction =>
  userAction(`billing topup ${amount}`, 'billing', 'topup', { amount })
