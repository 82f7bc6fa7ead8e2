import { putInInbox } from '../../network/inbox/actions.ts'
import { MINUTE } from '../../words/duration.ts'
import { Problem, problem, problems } from '../../words/problem.ts'
import { type Moves, transition } from '../../words/transition.ts'
import type { Action, AsyncAction } from '../../world/noun.ts'
import { isoTime, isoTimeOrNull } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { testAgent, testChannel } from '../agents/shared.ts'
import { contentFromTemplate } from '../channels/actions.ts'
import { consentRevokedAt } from '../consent/actions.ts'
import { recipientByPhone } from '../contacts/actions.ts'
import { checkAgent, rcs } from '../messages/channels/rcs.ts'
import { queue } from '../messages/send.ts'
import * as contract from './contract.ts'
import { codeOf, refuseCode, refuseTestSend, TRIES_PER_CODE } from './rules.ts'
import { type RegistrationEffect, type RegistrationTrigger, registration } from './states.ts'
import { type RegistrationRow, testAgentStore } from './store.ts'

/** Lifetime of a code in world time. */
const CODE_MS = 10 * MINUTE

const moves: Moves<RegistrationEffect, RegistrationRow, World> = {
  write: (row, { from }, world) => world.store(testAgentStore).move(row, from),
  effects: {
    'send code': {
      sets: (_, world) => ({
        code: codeOf(world.ids.secretNumber('code_')),
        code_expires_at: world.now() + CODE_MS,
        tries_left: TRIES_PER_CODE,
        verified_at: null,
      }),
      after(row, world) {
        putInInbox(world, {
          address: row.phone,
          channel_type: 'SMS',
          kind: 'VERIFICATION_CODE',
          subject: null,
          text: `${row.code} is your code for the Test Agent. It is valid for 10 minutes. Give it to nobody else.`,
          link: null,
        })
      },
    },
    'stamp verified': { sets: (_, world) => ({ verified_at: world.now() }) },
  },
}

/** Never undefined: `register` is allowed in every state, and `verify` is tried only where a number is registered. */
const move = (
  world: World,
  row: Omit<RegistrationRow, 'status'> & { status: RegistrationRow['status'] | 'NONE' },
  trigger: RegistrationTrigger,
) => toAnswer(world, transition(registration, row, trigger, moves, world))

function toAnswer(world: World, row: RegistrationRow | undefined) {
  const used = row ? world.store(testAgentStore).used(row.phone) : 0
  return {
    phone: row?.phone ?? null,
    verified: row?.status === 'VERIFIED',
    code_expires_at: row?.status === 'PENDING' ? isoTime(row.code_expires_at) : null,
    verified_at: isoTimeOrNull(row?.verified_at ?? null),
    messages_used: used,
    messages_left: contract.MESSAGES_PER_NUMBER - used,
  }
}

/** A key has one number; registering again starts over. */
export const register: Action<typeof contract.registerPhone> = (world, { body }) => {
  const existing = world.store(testAgentStore).get()
  const blank = { code: '', code_expires_at: 0, tries_left: 0, verified_at: null }
  return move(world, { ...blank, phone: body.phone, status: existing?.status ?? 'NONE' }, 'register')
}

/** Commits the wrong attempt before it refuses, because a refusal would roll it back. */
export const verify: AsyncAction<typeof contract.verifyPhone> = async (world, { body }) => {
  const outcome = world.transaction(() => tryCode(world, body))
  if (outcome instanceof Problem) throw outcome
  return outcome
}

function tryCode(world: World, input: { phone: string; code: string }) {
  const row = world.store(testAgentStore).get()
  const refused = refuseCode(row, input, world.now())
  if (!refused) return move(world, row!, 'verify')
  if (!refused.isGuess) return problem(refused.refusal)
  const tries_left = row!.tries_left - 1
  world.store(testAgentStore).setTriesLeft(tries_left)
  const reason = `The code is wrong; ${tries_left} of ${TRIES_PER_CODE} tries are left.`
  const next = tries_left === 0 ? problems.code_expired.remedy : problems.invalid_code.remedy
  return problem('invalid_code', `${reason} ${next}`, {
    tries_left,
    details: [{ field: 'code', code: 'invalid_code', message: 'is not the code that was sent' }],
  })
}

/**
 * Checks that do not depend on the number come first, and every number costs the same queries: neither the refusal
 * nor its duration distinguishes numbers (interface §5).
 */
export const send: Action<typeof contract.sendTestMessage> = (world, { body }) => {
  const { to, message_type: messageType, traffic_type: trafficType } = body
  const content = rcs.contentOf(body.content ?? contentFromTemplate(world, body, 'RCS'))
  const store = world.store(testAgentStore)
  const row = store.get()
  const refusal = refuseTestSend({ registration: row, to, used: store.used(to) })
  if (refusal) throw problem(refusal)
  const contact = recipientByPhone(world, to)
  const revokedAt = contact && consentRevokedAt(world, contact.id, 'RCS', 'MESSAGE')
  // Verification replaces consent until that is revoked; suppressed contacts stay suppressed.
  const consent = revokedAt && Date.parse(revokedAt) >= row!.verified_at! ? 'REVOKED' : 'GRANTED'
  const recipient = { isKnown: true, status: contact?.status ?? 'ACTIVE', consent } as const
  const request = { to, messageType, trafficType, content, contact, channel: testChannel, carried: body }
  const answer = queue(world, checkAgent(world, testAgent(world), request, recipient))
  store.count(to)
  return answer
}

export const status: Action<typeof contract.showTestAgent> = (world) =>
  toAnswer(world, world.store(testAgentStore).get())
