import { type UserAction, userAction } from '../api/user-action.ts'

export const topUp = (amount: number): UserAction =>
  userAction(`billing topup ${amount}`, 'billing', 'topup', { amount })
