import type { HandlerFunction } from '../../src/handlers/explore/application.ts'
import { sign } from '../../src/http/signature.ts'
import { isStop } from '../../src/words/stop.ts'

interface Event {
  id: string
  event: string
  data: Record<string, never>
}

/** The bug of a shop, by its name; none by default. */
export type Wrong =
  | 'knows no repetitions'
  | 'believes in order'
  | 'forgets on restart'
  | 'takes any signature'
  | 'verifies what it has parsed'
  | 'trips over a race'
  | 'clings to its secret'
  | 'knows one spelling of STOP'
  | 'throws on what it does not know'

const RANK = ['queued', 'delivered', 'opened', 'clicked', 'read', 'failed', 'expired', 'revoked', 'bounced']

/** An application that receives webhooks in the process of the test. */
export function shop(wrong?: Wrong) {
  let secret = 'whsec_explore'
  let saved = {
    seen: [] as string[],
    messages: {} as Record<string, string>,
    replies: {} as Record<string, number>,
    suppressed: {} as Record<string, boolean>,
  }
  let memory: Event[] = []

  const work = ({ event, data }: Event) => {
    const { message_id, from, user_message } = data as Record<string, string> & { user_message?: { text: string } }
    const status = event.split('.')[1]!
    if (/^(message|email)/.test(event) && RANK.includes(status)) {
      const before = saved.messages[message_id!]
      if (wrong === 'believes in order' || RANK.indexOf(status) > RANK.indexOf(before ?? ''))
        saved.messages[message_id!] = status
    }
    const { to, bounce_type } = data as Record<string, string>
    if (/unsubscribed|complained/.test(event) || bounce_type === 'hard') saved.suppressed[to!] = true
    if (event !== 'conversation.started') return
    saved.replies[from!] = (saved.replies[from!] ?? 0) + 1
    const text = user_message!.text
    if (wrong === 'knows one spelling of STOP' ? text === 'STOP' : isStop(text)) saved.suppressed[from!] = true
  }

  const isSigned = (body: string, signature: string | undefined) => {
    if (wrong === 'takes any signature') return true
    return signature === sign(secret, wrong === 'verifies what it has parsed' ? JSON.stringify(JSON.parse(body)) : body)
  }

  const handler: HandlerFunction = async ({ headers, body }) => {
    if (!isSigned(body, headers['x-service-signature'])) return 401
    const event: Event = JSON.parse(body)
    if (wrong === 'throws on what it does not know' && !/^(message|conversation|contact|consent)/.test(event.event))
      return 500
    const isKnown = wrong !== 'knows no repetitions' && saved.seen.includes(event.id)
    if (wrong === 'trips over a race') await Promise.resolve()
    if (isKnown) return 200
    if (wrong === 'trips over a race') await new Promise((resolve) => setTimeout(resolve, 1))
    saved.seen.push(event.id)
    if (wrong === 'forgets on restart') {
      memory.push(event)
      setTimeout(() => memory.splice(0).forEach(work), 2)
    } else work(event)
    return { status: 200 }
  }

  return {
    handler,
    truth: () => ({ messages: saved.messages, replies: saved.replies, suppressed: saved.suppressed }),
    reset() {
      saved = { seen: [], messages: {}, replies: {}, suppressed: {} }
      memory = []
    },
    restart() {
      memory = []
    },
    rotate(next: string) {
      if (wrong !== 'clings to its secret') secret = next
    },
  }
}
