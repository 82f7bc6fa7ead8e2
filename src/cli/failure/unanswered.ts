import type { PreparedCall } from '../../client/call.ts'
import { idempotencyKeyOf } from '../../client/idempotency-key.ts'
import type { Unanswered } from '../../client/unanswered.ts'

interface OutcomeUnknown {
  message: string
  hint: string
  extra: Record<string, unknown>
}

/** By operation: the command that shows whether the call was carried out. */
const CHECK_COMMANDS: Readonly<Record<string, (call: PreparedCall) => string>> = {
  'messages.send': ({ payload }) => `sandbox messages list --limit 5${recipientOf(payload)}`,
  'testAgent.send': ({ payload }) => `sandbox messages list --limit 5${recipientOf(payload)}`,
  'billing.topup': () => 'sandbox billing transactions --limit 5',
  'campaigns.trigger': ({ request }) => `sandbox campaigns status ${request.url.pathname.split('/').at(-2)}`,
}

const recipientOf = (payload: unknown) => {
  const { to } = (payload ?? {}) as { to?: unknown }
  return typeof to === 'string' && /^[\w.+@-]+$/.test(to) ? ` --to ${to}` : ''
}

/** Explains a call that may have been carried out, and how to find out. */
export function describeUnanswered({ call, cause }: Unanswered): OutcomeUnknown {
  const key = idempotencyKeyOf(call)
  const isSend = /^(messages|testAgent)\.send$/.test(call.operation.id)
  const what = isSend ? 'the message may or may not have been sent' : 'the change may or may not have been made'
  const look = CHECK_COMMANDS[call.operation.id]?.(call)
  return {
    message: `${cause.message}; ${what}.`,
    hint: [
      key === undefined ? 'Check before you repeat the call.' : `To repeat the call safely: --idempotency-key ${key}.`,
      look && `To check: ${look}`,
    ]
      .filter(Boolean)
      .join(' '),
    extra: {
      operation: call.operation.id,
      may_have_been_done: true,
      ...(key === undefined ? {} : { idempotency_key: key }),
      ...(look ? { look } : {}),
    },
  }
}
