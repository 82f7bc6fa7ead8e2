import * as billing from './billing/contract.ts'
import { confirmConsent, listConsent, recordConsent, revokeConsent } from './consent/contract.ts'
import { createContact, deleteContact, getContact, updateContact } from './contacts/contract.ts'
import {
  advanceClock,
  health,
  replyFromHandset,
  resetWorld,
  setClockMode,
  showClock,
  showWorld,
  tapOnHandset,
} from './control/contract.ts'
import { showInbox } from './inbox/contract.ts'
import * as messages from './messages/contract.ts'
import { createWebhook, deleteWebhook, listWebhooks, testWebhook, updateWebhook } from './webhooks/contract.ts'
import {
  listDeliveries,
  listEvents,
  moveCursor,
  replayEvent,
  showCursor,
  showSecret,
  streamEvents,
} from './webhooks/log-contract.ts'

/** Every operation by noun and verb: what the client, the CLI and the documents are made from. */
export const api = {
  messages: { send: messages.send, list: messages.list, get: messages.get, revoke: messages.revoke },
  billing: { balance: billing.balance, tier: billing.tier, transactions: billing.transactions },
  contacts: { create: createContact, get: getContact, update: updateContact, delete: deleteContact },
  consent: { list: listConsent, record: recordConsent, revoke: revokeConsent, confirm: confirmConsent },
  inbox: { show: showInbox },
  webhooks: {
    create: createWebhook,
    list: listWebhooks,
    update: updateWebhook,
    delete: deleteWebhook,
    test: testWebhook,
  },
  events: {
    list: listEvents,
    stream: streamEvents,
    cursor: showCursor,
    moveCursor,
    secret: showSecret,
    replay: replayEvent,
    deliveries: listDeliveries,
  },
  clock: { show: showClock, advance: advanceClock, mode: setClockMode },
  world: { health, show: showWorld, reset: resetWorld },
  handsets: { reply: replyFromHandset, tap: tapOnHandset },
} as const

export type Api = typeof api
