import * as agents from './agents/contract.ts'
import * as agentControl from './agents/control-contract.ts'
import * as account from './billing/account-contract.ts'
import * as billing from './billing/contract.ts'
import { invoicePdf, invoices } from './billing/invoice-contract.ts'
import * as campaigns from './campaigns/contract.ts'
import { campaignEvent, defineCampaign, runCampaign, showCampaign } from './campaigns/dashboard-contract.ts'
import { updateCarrier } from './carriers/contract.ts'
import { confirmConsent, listConsent, recordConsent, revokeConsent } from './consent/contract.ts'
import { createContact, deleteContact, getContact, importContacts, updateContact } from './contacts/contract.ts'
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
import { setRateLimits, showRateLimits } from './control/rate-limits-contract.ts'
import { showInbox } from './inbox/contract.ts'
import * as messages from './messages/contract.ts'
import * as testAgent from './test-agent/contract.ts'
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
  agents: {
    create: agents.create,
    get: agents.get,
    update: agents.update,
    submit: agents.submit,
    launch: agents.launch,
    provision: agentControl.provision,
    review: agentControl.review,
    suspend: agentControl.suspend,
    reinstate: agentControl.reinstate,
  },
  billing: {
    balance: billing.balance,
    usage: account.usage,
    tier: billing.tier,
    topup: account.topup,
    transactions: billing.transactions,
    invoices,
    invoicePdf,
    setAutoReload: account.setAutoReload,
    setAlerts: account.setAlerts,
  },
  contacts: {
    create: createContact,
    import: importContacts,
    get: getContact,
    update: updateContact,
    delete: deleteContact,
  },
  consent: { list: listConsent, record: recordConsent, revoke: revokeConsent, confirm: confirmConsent },
  campaigns: {
    trigger: campaigns.trigger,
    pause: campaigns.pause,
    resume: campaigns.resume,
    status: campaigns.status,
    define: defineCampaign,
    show: showCampaign,
    run: runCampaign,
    event: campaignEvent,
  },
  carriers: { update: updateCarrier },
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
  testAgent: { register: testAgent.register, verify: testAgent.verify, send: testAgent.send, status: testAgent.status },
  clock: { show: showClock, advance: advanceClock, mode: setClockMode },
  world: { health, show: showWorld, reset: resetWorld, rateLimits: showRateLimits, setRateLimits },
  handset: { reply: replyFromHandset, tap: tapOnHandset },
} as const

export type Api = typeof api
