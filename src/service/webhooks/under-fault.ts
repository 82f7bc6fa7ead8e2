import type { AttemptRow } from './delivery.store.ts'
import type { DeliveryEffect } from './fault-on.ts'

/** The outcome of an attempt. */
export type AttemptResult = Pick<AttemptRow, 'status_code' | 'error' | 'response'>

/** Sends the event once: unchanged, signed with a wrong key, or spelled oddly. */
export type Post = (how?: 'unchanged' | 'signed wrong' | 'spelled oddly') => Promise<AttemptResult>

const unanswered = (error: string): AttemptResult => ({ status_code: null, error, response: null })

/** Makes an attempt with a fault; its delay is over by now. */
export const underFault: Readonly<Record<DeliveryEffect, (post: Post, fault: string) => Promise<AttemptResult>>> = {
  drop: async (_post, fault) => unanswered(`The fault ${fault} dropped it: it never reached the receiver.`),
  async duplicate(post) {
    const first = await post()
    const second = await post()
    return first.error === null ? first : second
  },
  bad_signature: (post) => post('signed wrong'),
  async lost_acknowledgement(post, fault) {
    const { status_code, ...rest } = await post()
    if (status_code === null) return { status_code, ...rest }
    return unanswered(`The receiver answered ${status_code}, and the fault ${fault} lost the answer.`)
  },
  reorder: (post) => post(),
  odd_spelling: (post) => post('spelled oddly'),
}
